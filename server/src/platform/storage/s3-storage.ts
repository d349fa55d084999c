import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Storage } from './storage.ts'

/** A store takes 5 GB at most in one piece, and 10,000 pieces: up to 320 GB. One piece at a time is in memory. */
const partSize = 32 * 1024 * 1024

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

async function openClient({ endpoint, region, credentials }: Settings) {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    region,
    forcePathStyle: true,
    // Stores other than Amazon's do not all know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
  })
  return { sdk, client }
}

/** Opens the client when a file is first touched: the SDK is large. */
function whenNeeded(settings: Settings): () => ReturnType<typeof openClient> {
  let opening: ReturnType<typeof openClient> | undefined
  return () => {
    opening ??= openClient(settings)
    return opening
  }
}

/** Keeps files in an S3-compatible store. Without keys in the URL the usual AWS environment variables count. */
export function s3Storage(url: string): Storage {
  const settings = settingsOf(url)
  const connect = whenNeeded(settings)
  const at = (key: string) => ({ Bucket: settings.bucket, Key: key })

  async function find(key: string) {
    const { sdk, client } = await connect()
    try {
      return await client.send(new sdk.GetObjectCommand(at(key)))
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) return undefined
      throw error
    }
  }
  async function put(key: string, bytes: Buffer, contentType: string): Promise<void> {
    const { sdk, client } = await connect()
    await client.send(new sdk.PutObjectCommand({ ...at(key), Body: bytes, ContentType: contentType }))
  }
  async function putFile(key: string, path: string, contentType: string): Promise<void> {
    const [{ client }, { Upload }] = await Promise.all([connect(), import('@aws-sdk/lib-storage')])
    const params = { ...at(key), Body: createReadStream(path), ContentType: contentType }
    await new Upload({ client, params, partSize, queueSize: 1 }).done()
  }
  async function remove(key: string): Promise<void> {
    const { sdk, client } = await connect()
    await client.send(new sdk.DeleteObjectCommand(at(key)))
  }

  return {
    put,
    putFile,
    async get(key) {
      const body = (await find(key))?.Body
      return body && Buffer.from(await body.transformToByteArray())
    },
    async open(key) {
      const found = await find(key)
      return found?.Body && { stream: found.Body as Readable, size: found.ContentLength ?? 0 }
    },
    async *list() {
      const { sdk, client } = await connect()
      for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket: settings.bucket })) {
        for (const { Key: key, LastModified: writtenAt } of page.Contents ?? [])
          if (key && writtenAt) yield { key, writtenAt }
      }
    },
    remove,
    // An object is there once all of it has arrived.
    removeUnfinished: async () => undefined,
    async verify() {
      await put('probe', Buffer.alloc(1), 'application/octet-stream')
      await remove('probe')
    },
  }
}
