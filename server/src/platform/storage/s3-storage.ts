import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Storage } from './storage.ts'
import { renamingFaults, StorageFault } from './storage-fault.ts'

/** A store accepts at most 10,000 parts per upload, so this allows 320 GB. Only one part is in memory at a time. */
const partSize = 32 * 1024 * 1024

/** How many seconds the proxy has to start the request. */
const addressSeconds = 60

interface Settings {
  bucket: string
  endpoint: string | undefined
  region: string
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

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
  // Silences a warning about the Node version that operators can't act on: the release chooses the SDK.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    region,
    forcePathStyle: true,
    // Not every S3-compatible store supports the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
  })
  return { sdk, client }
}

function whenNeeded(settings: Settings): () => ReturnType<typeof openClient> {
  let opening: ReturnType<typeof openClient> | undefined
  return () => {
    opening ??= openClient(settings)
    return opening
  }
}

type Connect = ReturnType<typeof whenNeeded>

function readingFrom(bucket: string, connect: Connect): Pick<Storage, 'get' | 'open' | 'addressOf' | 'list'> {
  async function find(key: string) {
    const { sdk, client } = await connect()
    try {
      return await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key }))
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) return undefined
      throw error
    }
  }
  return {
    async get(key) {
      const body = (await find(key))?.Body
      return body && Buffer.from(await body.transformToByteArray())
    },
    async open(key) {
      const found = await find(key)
      return found?.Body && { stream: found.Body as Readable, size: found.ContentLength ?? 0 }
    },
    async addressOf(key) {
      const [{ sdk, client }, { getSignedUrl }] = await Promise.all([
        connect(),
        import('@aws-sdk/s3-request-presigner'),
      ])
      const asked = new sdk.GetObjectCommand({ Bucket: bucket, Key: key })
      const { pathname, search } = new URL(await getSignedUrl(client, asked, { expiresIn: addressSeconds }))
      return pathname.slice(1) + search
    },
    async *list() {
      const { sdk, client } = await connect()
      for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket: bucket })) {
        for (const { Key: key, LastModified: writtenAt } of page.Contents ?? [])
          if (key && writtenAt) yield { key, writtenAt }
      }
    },
  }
}

function writingTo(bucket: string, connect: Connect): Pick<Storage, 'put' | 'putFile' | 'remove'> {
  return {
    async put(key, bytes, contentType) {
      const { sdk, client } = await connect()
      const object = { Bucket: bucket, Key: key, Body: bytes, ContentType: contentType }
      await client.send(new sdk.PutObjectCommand(object))
    },
    async putFile(key, path, contentType) {
      const [{ client }, { Upload }] = await Promise.all([connect(), import('@aws-sdk/lib-storage')])
      const params = { Bucket: bucket, Key: key, Body: createReadStream(path), ContentType: contentType }
      await new Upload({ client, params, partSize, queueSize: 1 }).done()
    },
    async remove(key) {
      const { sdk, client } = await connect()
      await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }))
    },
  }
}

/** Names the store, because Node's connection errors look the same as those of the database. */
function faultOf({ bucket }: Settings, cause: unknown): StorageFault {
  const { message, name, code } = cause as Error & { code?: string }
  return new StorageFault(`the store s3://${bucket} cannot be used (${message || code || name})`, { cause })
}

/** Without keys in the URL, the usual AWS environment variables apply. Throws `StorageFault`. */
export function s3Storage(url: string): Storage {
  const settings = settingsOf(url)
  const connect = whenNeeded(settings)
  const writing = writingTo(settings.bucket, connect)
  const storage = {
    ...readingFrom(settings.bucket, connect),
    ...writing,
    // An upload becomes visible only once it is complete.
    removeUnfinished: async () => undefined,
    async verify() {
      await writing.put('probe', Buffer.alloc(1), 'application/octet-stream')
      await writing.remove('probe')
    },
  }
  return renamingFaults(storage, (cause) => faultOf(settings, cause))
}
