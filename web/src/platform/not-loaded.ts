/**
 * A file of the app failed to load: there is no network, or a newer release has removed it. `forget` lets the next
 * attempt request it again.
 */
export class NotLoaded extends Error {
  override name = 'NotLoaded'
  readonly forget: () => void

  constructor(forget: () => void, cause?: unknown) {
    super('A file of the app could not be loaded.', { cause })
    this.forget = forget
  }
}
