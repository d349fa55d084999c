import sharp from 'sharp'

const width = 9
const height = 8

/**
 * A 64-bit fingerprint of a photo, the difference hash (dHash, Neal Krawetz, hackerfactor.com, 2013): in a 9 by 8
 * greyscale picture, whether each pixel is brighter than the one to its right. Undefined for uniform pictures.
 */
export async function photoPrint(bytes: Buffer): Promise<bigint | undefined> {
  const greys = await sharp(bytes).greyscale().resize(width, height, { fit: 'fill' }).raw().toBuffer()
  let print = 0n
  let ones = 0
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width - 1; column++) {
      const at = row * width + column
      const isBrighter = (greys[at] ?? 0) > (greys[at + 1] ?? 0)
      print = (print << 1n) | (isBrighter ? 1n : 0n)
      ones += isBrighter ? 1 : 0
    }
  return ones < 8 || ones > 56 ? undefined : BigInt.asIntN(64, print)
}
