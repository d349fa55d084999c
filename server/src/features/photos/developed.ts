/** Widths that are kept; `&w=` chooses one, the first is the default. */
export const widths = [1080, 640, 320] as const
export type Width = (typeof widths)[number]

/** A photo as it is kept: new pixels in three sizes, nothing of the file it came from. */
export interface Developed {
  variants: { width: Width; bytes: Buffer }[]
  width: number
  height: number
  blurhash: string
  sha256: Buffer
}
