import type { Readable } from 'node:stream'

/** What the keys of all our files begin with. */
export const fileKinds = ['photos', 'attachments', 'verification', 'exports', 'evidence'] as const
export type FileKind = (typeof fileKinds)[number]

/** Whether a key can be kept in every store, so that files can move from one to the other. */
export const isSafeKey = (key: string): boolean => /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*(\.[A-Za-z0-9]+)?$/.test(key)

/** What a file is of, by its key; undefined for what is not ours. */
export function fileKindOf(key: string): FileKind | undefined {
  return isSafeKey(key) ? fileKinds.find((kind) => key.startsWith(`${kind}/`)) : undefined
}

/** Where files are kept: a folder or an S3-compatible store. Keys are like `photos/640/NAME.webp`. */
export interface Storage {
  /** Keeps bytes; they outlive a power cut when this is done. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** The bytes, or undefined when there are none under this key. */
  get(key: string): Promise<Buffer | undefined>
  /** Keeps what is in a file of this machine, however large. */
  putFile(key: string, path: string, contentType: string): Promise<void>
  /** The same as `get`, piece by piece, for what is too large to be held in memory. */
  open(key: string): Promise<{ stream: Readable; size: number } | undefined>
  /**
   * Where a proxy in front finds what is under the key: a path in the folder, or one in the store whose signature holds
   * for a minute. Whether there is anything is not looked up.
   */
  addressOf(key: string): Promise<string>
  /** Everything there is and when it was written, in no order, a part at a time. */
  list(): AsyncIterable<{ key: string; writtenAt: Date }>
  /** Removes what is under the key; nothing there is fine. */
  remove(key: string): Promise<void>
  /** Removes what was begun before a moment and never finished. */
  removeUnfinished(before: Date): Promise<void>
  /** Throws when the store cannot be written now. */
  verify(): Promise<void>
}
