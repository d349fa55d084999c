/**
 * Thrown when a file of the app fails to load, because there is no network or a newer release has removed the file.
 * Call `forget` to make the next attempt request the file again.
 */
export class NotLoaded extends Error {
  override name = 'NotLoaded'
  readonly forget: () => void

  constructor(forget: () => void, cause?: unknown) {
    super('A file of the app could not be loaded.', { cause })
    this.forget = forget
  }
}
