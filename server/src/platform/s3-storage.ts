import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import type { Storage } from './storage.ts'

/** The SDK is large: it is loaded when a file is first touched. */
async function loadSdk() {
  return import('@aws-sdk/client-s3')
}

interface Settings {
  bucket: string
  endpoint: string | undefined
  region: string
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

/** Reads `s3://BUCKET?endpoint=…&region=…[&accessKeyId=…&secretAccessKey=…]`. */
function settingsOf(url: string): Settings {
  const { hostname, searchParams } = new URL(url)
  const accessKeyId = searchParams.get('accessKeyId')
  const secretAccessKey = searchParams.get('secretAccessKey')
  return {
    bucket: hostname,
    endpoint: searchParams.get('endpoint') ?? undefined,
    region: searchParams.get('region') ?? process.env.AWS_REGION ?? 'us-east-1',
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  }
}

async function openClient({ endpoint, region, credentials }: Settings): Promise<S3Client> {
  const sdk = await loadSdk()
  return new sdk.S3Client({
    region,
    forcePathStyle: true,
    // Stores other than Amazon's do not all know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
  })
}

/** Keeps files in an S3-compatible store. Without keys in the URL the usual AWS environment variables count. */
export function s3Storage(url: string): Storage {
  const settings = settingsOf(url)
  let opening: Promise<S3Client> | undefined
  const client = () => {
    opening ??= openClient(settings)
    return opening
  }
  const at = (key: string) => ({ Bucket: settings.bucket, Key: key })

  async function put(key: string, bytes: Buffer, contentType: string): Promise<void> {
    const { PutObjectCommand } = await loadSdk()
    await (await client()).send(new PutObjectCommand({ ...at(key), Body: bytes, ContentType: contentType }))
  }
  async function get(key: string): Promise<Buffer | undefined> {
    const { GetObjectCommand, NoSuchKey } = await loadSdk()
    try {
      const { Body } = await (await client()).send(new GetObjectCommand(at(key)))
      return Body && Buffer.from(await Body.transformToByteArray())
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined
      throw error
    }
  }
  async function putFile(key: string, path: string, contentType: string): Promise<void> {
    const { PutObjectCommand } = await loadSdk()
    const body = { Body: createReadStream(path), ContentLength: (await stat(path)).size }
    await (await client()).send(new PutObjectCommand({ ...at(key), ...body, ContentType: contentType }))
  }
  async function open(key: string): Promise<{ stream: Readable; size: number } | undefined> {
    const { GetObjectCommand, NoSuchKey } = await loadSdk()
    try {
      const { Body, ContentLength } = await (await client()).send(new GetObjectCommand(at(key)))
      return Body && { stream: Body as Readable, size: ContentLength ?? 0 }
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined
      throw error
    }
  }
  async function* keys(): AsyncIterable<string> {
    const { paginateListObjectsV2 } = await loadSdk()
    for await (const page of paginateListObjectsV2({ client: await client() }, { Bucket: settings.bucket })) {
      for (const { Key } of page.Contents ?? []) if (Key) yield Key
    }
  }
  async function remove(key: string): Promise<void> {
    const { DeleteObjectCommand } = await loadSdk()
    await (await client()).send(new DeleteObjectCommand(at(key)))
  }
  return {
    put,
    get,
    putFile,
    open,
    keys,
    remove,
    verify: async () => {
      await put('probe', Buffer.alloc(1), 'application/octet-stream')
      await remove('probe')
    },
  }
}
