const signatures = {
  jpeg: Buffer.from([0xff, 0xd8, 0xff]),
  png: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
}
const startOfScan = 0xda
const endOfImage = 0xd9
/** The decoder doesn't read a length after reserved markers. */
const isReserved = (marker: number) => marker >= 0x02 && marker < 0xc0
/** Markers without a length: stuffed zeros, restarts, fill bytes, and the start of an image. */
const isBare = (marker: number) => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8) || marker === 0xff
/** PNG chunks with text. The text is never shown, and a few bytes of it can decompress to gigabytes. */
const wordChunks = new Set(['tEXt', 'zTXt', 'iTXt'])

const begins = (bytes: Buffer, signature: Buffer) => bytes.subarray(0, signature.length).equals(signature)

/**
 * The number of scans in a JPEG; 0 for other files, and Infinity if they can't be counted. The decoder processes all
 * pixels once per scan.
 */
export function countScans(bytes: Buffer): number {
  if (!begins(bytes, signatures.jpeg)) return 0
  let scans = 0
  for (let at = bytes.indexOf(0xff); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[at + 1] as number
    if (isBare(marker)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    if (marker === endOfImage) break
    if (isReserved(marker)) return Number.POSITIVE_INFINITY
    if (marker === startOfScan) scans += 1
    at += 2 + (at + 4 <= bytes.length ? bytes.readUInt16BE(at + 2) : 0)
  }
  return scans
}

export function withoutWords(bytes: Buffer): Buffer {
  if (!begins(bytes, signatures.png)) return bytes
  const kept: Buffer[] = [signatures.png]
  let at = signatures.png.length
  while (at + 8 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (!wordChunks.has(bytes.toString('latin1', at + 4, at + 8))) kept.push(bytes.subarray(at, end))
    at = end
  }
  return Buffer.concat(kept)
}
