/** Where files are kept: a folder or an S3-compatible store. Keys are like `photos/640/NAME.webp`. */
export interface Storage {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** The bytes, or undefined when there are none under this key. */
  get(key: string): Promise<Buffer | undefined>
  /** Removes what is under the key; nothing there is fine. */
  remove(key: string): Promise<void>
  /** Throws when the store cannot be written now. */
  verify(): Promise<void>
}
