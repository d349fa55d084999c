/** What of a WebM file holds others; everything else is stepped over. Lengths may be unknown while it is recorded. */
const holders = {
  segment: 0x18538067,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  track: 0xae,
  cluster: 0x1f43b675,
  group: 0xa0,
}
const leaves = { scale: 0x2ad7b1, codec: 0x86, clusterTime: 0xe7, block: 0xa1, simpleBlock: 0xa3 }
const isHolder = new Set<number>(Object.values(holders))
/** Opus packets have at least so many milliseconds in practice; the last one has no successor that would tell. */
const lastPacketMs = 20

interface Element {
  id: number
  /** Where its content begins and ends; undefined for an unknown length. */
  start: number
  end: number | undefined
}

// Matroska numbers begin with as many zero bits as bytes follow.
function widthAt(bytes: Buffer, at: number): number {
  return Math.clz32(bytes[at] ?? 0) - 23
}

function elementAt(bytes: Buffer, at: number): Element | undefined {
  const idWidth = widthAt(bytes, at)
  const sizeAt = at + idWidth
  const sizeWidth = widthAt(bytes, sizeAt)
  const start = sizeAt + sizeWidth
  if (idWidth > 4 || sizeWidth > 8 || start > bytes.length) return undefined
  const [first = 0, ...rest] = bytes.subarray(sizeAt, start)
  const size = rest.reduce((value, byte) => value * 256 + byte, first & (0xff >> sizeWidth))
  const isUnknown = size >= 2 ** (7 * sizeWidth) - 1
  return { id: bytes.readUIntBE(at, idWidth), start, end: isUnknown ? undefined : start + size }
}

function* elementsOf(bytes: Buffer): Generator<Element & { end: number }> {
  for (let at = 0; at < bytes.length; ) {
    const element = elementAt(bytes, at)
    const end = element?.end ?? (element && isHolder.has(element.id) ? element.start : undefined)
    if (!element || end === undefined || end > bytes.length) throw new RangeError('the file is cut off')
    yield { ...element, end }
    at = isHolder.has(element.id) ? element.start : end
  }
}

/** A number of at most six bytes. */
const numberAt = (bytes: Buffer, { start, end }: { start: number; end: number }) =>
  end > start ? bytes.readUIntBE(start, Math.min(6, end - start)) : 0

/**
 * The codecs of the tracks of a WebM file, and how long it is by its packets: recorders leave its header without. Throws
 * RangeError when it is cut off.
 */
export function readWebm(bytes: Buffer): { codecs: string[]; durationMs: number } {
  const codecs: string[] = []
  let nanoseconds = 1_000_000
  let clusterTime = 0
  let last: number | undefined
  for (const element of elementsOf(bytes)) {
    const { id, start, end } = element
    if (id === holders.track) codecs.push('')
    if (id === leaves.codec) codecs.splice(-1, 1, bytes.toString('latin1', start, end))
    if (id === leaves.scale) nanoseconds = numberAt(bytes, element)
    if (id === leaves.clusterTime) clusterTime = numberAt(bytes, element)
    if (id !== leaves.block && id !== leaves.simpleBlock) continue
    const at = start + widthAt(bytes, start)
    if (at + 2 > end) throw new RangeError('a packet is cut off')
    last = Math.max(last ?? 0, clusterTime + bytes.readInt16BE(at))
  }
  return { codecs, durationMs: last === undefined ? 0 : (last * nanoseconds) / 1_000_000 + lastPacketMs }
}

/** Whether an Ogg file is whole pages from its beginning to its end. */
export function isWholeOgg(bytes: Buffer): boolean {
  let at = 0
  while (at < bytes.length) {
    const segments = bytes[at + 26]
    if (bytes.toString('latin1', at, at + 4) !== 'OggS' || segments === undefined) return false
    at += 27 + segments + bytes.subarray(at + 27, at + 27 + segments).reduce((sum, length) => sum + length, 0)
  }
  return at === bytes.length
}
