/** In pixels; `&w=` in a URL selects one. The first is the default. */
export const widths = [1080, 640, 320] as const
export type Width = (typeof widths)[number]

/** A photo ready to store: new pixels in three sizes, and nothing of the original file. */
export interface Developed {
  variants: { width: Width; bytes: Buffer }[]
  width: number
  height: number
  blurhash: string
  sha256: Buffer
}
