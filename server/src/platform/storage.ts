import type { Readable } from 'node:stream'

/** Where files are kept: a folder or an S3-compatible store. Keys are like `photos/640/NAME.webp`. */
export interface Storage {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** The bytes, or undefined when there are none under this key. */
  get(key: string): Promise<Buffer | undefined>
  /** Keeps what is in a file of this machine, however large. */
  putFile(key: string, path: string, contentType: string): Promise<void>
  /** The same as `get`, piece by piece, for what is too large to be held in memory. */
  open(key: string): Promise<{ stream: Readable; size: number } | undefined>
  /** The keys of everything there is, in no order. */
  keys(): AsyncIterable<string>
  /** Removes what is under the key; nothing there is fine. */
  remove(key: string): Promise<void>
  /** Throws when the store cannot be written now. */
  verify(): Promise<void>
}
