import type { Readable } from 'node:stream'

export const fileKinds = ['photos', 'attachments', 'verification', 'exports', 'evidence'] as const
export type FileKind = (typeof fileKinds)[number]

/** Whether a key is valid in every store, so that files can move between stores. */
export const isSafeKey = (key: string): boolean => /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*(\.[A-Za-z0-9]+)?$/.test(key)

/** Undefined for a file that isn't Duet's. */
export function fileKindOf(key: string): FileKind | undefined {
  return isSafeKey(key) ? fileKinds.find((kind) => key.startsWith(`${kind}/`)) : undefined
}

export interface Storage {
  /** Durable when it resolves: the file survives a power cut. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  get(key: string): Promise<Buffer | undefined>
  putFile(key: string, path: string, contentType: string): Promise<void>
  open(key: string): Promise<{ stream: Readable; size: number } | undefined>
  /**
   * Where a reverse proxy finds the file: a path in the folder, or an S3 path with a signature valid for a minute.
   * Doesn't check that the file exists.
   */
  addressOf(key: string): Promise<string>
  /** Streams the keys of all files, in no order. */
  list(): AsyncIterable<{ key: string; writtenAt: Date }>
  remove(key: string): Promise<void>
  removeUnfinished(before: Date): Promise<void>
  verify(): Promise<void>
}
