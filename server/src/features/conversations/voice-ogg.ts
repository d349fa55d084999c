interface Page {
  at: number
  start: number
  end: number
  serial: number
  /** The lengths of the page's segments. A length below 255 ends a packet. */
  segments: Buffer
}

const headBytes = 27
const opusHeadBytes = 19
/** The tags packet: the signature `OpusTags`, followed by at least the lengths of two empty texts. */
const tagsBytes = { name: 8, least: 16 }

function* pagesOf(bytes: Buffer): Generator<Page> {
  for (let at = 0; at < bytes.length; ) {
    const start = at + headBytes + (bytes[at + 26] ?? 0)
    const segments = bytes.subarray(at + headBytes, start)
    const end = start + segments.reduce((sum, length) => sum + length, 0)
    if (bytes.toString('latin1', at, at + 4) !== 'OggS' || end > bytes.length)
      throw new RangeError('the file is cut off')
    yield { at, start, end, segments, serial: bytes.readUInt32LE(at + 14) }
    at = end
  }
}

const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte << 24
  for (let bit = 0; bit < 8; bit += 1) rest = (rest << 1) ^ (rest < 0 ? 0x04c11db7 : 0)
  return rest
})

function seal(bytes: Buffer, { at, end }: Page): void {
  bytes.writeUInt32LE(0, at + 22)
  let sum = 0
  for (const byte of bytes.subarray(at, end)) sum = (sum << 8) ^ (remainders[((sum >>> 24) ^ byte) & 0xff] ?? 0)
  bytes.writeUInt32LE(sum >>> 0, at + 22)
}

/** How many of a page's bytes belong to its first packet, and whether that packet ends on the page. */
function packetIn({ segments }: Page): { length: number; isWhole: boolean } {
  const last = segments.findIndex((length) => length < 255)
  const own = last < 0 ? segments : segments.subarray(0, last + 1)
  return { length: own.reduce((sum, length) => sum + length, 0), isWhole: last >= 0 }
}

/** In milliseconds. Granule positions count samples at 48 kHz, including the pre-skip, which isn't played. */
function durationOf(bytes: Buffer, head: Page, pages: readonly Page[]): number {
  // The granule position is -1 on a page where no packet ends.
  const counts = pages.map(({ at }) => Number(bytes.readBigInt64LE(at + 6)))
  const samples = counts.reduce((most, count) => Math.max(most, count), 0) - bytes.readUInt16LE(head.start + 10)
  return Math.max(0, samples / 48)
}

/**
 * Zeroes the tags packet of an Ogg file with a single Opus stream, in place. Returns the duration in milliseconds.
 * Throws a RangeError if the file is truncated or contains anything else.
 */
export function cleanOgg(bytes: Buffer): number {
  const [head, ...pages] = pagesOf(bytes)
  const isOpus = head && bytes.toString('latin1', head.start, head.start + 8) === 'OpusHead'
  const isAlone = isOpus && pages.every(({ serial }) => serial === head.serial)
  if (!isAlone || head.end - head.start !== opusHeadBytes) throw new RangeError('the file is not a single Opus stream')
  let length = 0
  for (const page of pages) {
    const packet = packetIn(page)
    bytes.fill(0, page.start + (length === 0 ? tagsBytes.name : 0), page.start + packet.length)
    seal(bytes, page)
    length += packet.length
    if (packet.isWhole) break
  }
  if (length < tagsBytes.least) throw new RangeError('it has no tags')
  return durationOf(bytes, head, pages)
}
