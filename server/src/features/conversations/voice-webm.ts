// The elements that playback of a WebM file needs. In a live recording, elements that contain others can have an
// unknown length.
const ids = {
  ...{ header: 0x1a45dfa3, segment: 0x18538067, info: 0x1549a966, tracks: 0x1654ae6b, track: 0xae, audio: 0xe1 },
  ...{ cluster: 0x1f43b675, group: 0xa0 },
  ...{ scale: 0x2ad7b1, trackNumber: 0xd7, codec: 0x86, clusterTime: 0xe7, block: 0xa1, simpleBlock: 0xa3 },
}
const holders = new Set([ids.header, ids.segment, ids.info, ids.tracks, ids.track, ids.audio, ids.cluster, ids.group])
const numbers = [
  // Versions, DocType, and the lengths of ids and sizes.
  ...[0x4286, 0x42f7, 0x42f2, 0x42f3, 0x4282, 0x4287, 0x4285],
  // File: time scale and duration.
  ...[ids.scale, 0x4489],
  // Track: UID, type, lacing, codec with delay and pre-roll, default, enabled.
  ...[ids.trackNumber, 0x73c5, 0x83, 0x9c, ids.codec, 0x56aa, 0x56bb, 0x88, 0xb9],
  // Sampling frequency, channels, bits.
  ...[0xb5, 0x9f, 0x6264],
  // Blocks: time, duration and padding.
  ...[ids.clusterTime, 0x9b, 0x75a2],
]
const kept = new Map<number, number>([
  ...numbers.map((id) => [id, 8] as const),
  // The names of the recording programs: required, but may be empty.
  ...[0x4d80, 0x5741].map((id) => [id, 0] as const),
  // The Opus header.
  [0x63a2, 19],
  [ids.block, Number.POSITIVE_INFINITY],
  [ids.simpleBlock, Number.POSITIVE_INFINITY],
])
const voidId = 0xec
/**
 * The assumed duration of the last packet, because the file doesn't record its end. In practice Opus packets last at
 * least this long.
 */
const lastPacketMs = 20

interface Element {
  id: number
  /** Offset of the element's header in the file, in bytes. */
  at: number
  /** Offsets of the content; `end` is undefined if the length is unknown. */
  start: number
  end: number | undefined
}

// A Matroska number starts with one zero bit for each byte that follows the first.
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
  return { id: bytes.readUIntBE(at, idWidth), at, start, end: isUnknown ? undefined : start + size }
}

function* elementsOf(bytes: Buffer): Generator<Element & { end: number }> {
  for (let at = 0; at < bytes.length; ) {
    const element = elementAt(bytes, at)
    const end = element?.end ?? (element && holders.has(element.id) ? element.start : undefined)
    if (!element || end === undefined || end > bytes.length) throw new RangeError('the file is cut off')
    at = holders.has(element.id) ? element.start : end
    yield { ...element, end }
  }
}

/** Reads an integer of up to six bytes. */
const numberAt = (bytes: Buffer, { start, end }: { start: number; end: number }) =>
  end > start ? bytes.readUIntBE(start, Math.min(6, end - start)) : 0

function blockAt(bytes: Buffer, { start, end }: { start: number; end: number }) {
  const at = start + widthAt(bytes, start)
  if (at + 2 > end) throw new RangeError('a packet is cut off')
  return { track: (bytes[start] ?? 0) & 0x7f, time: bytes.readInt16BE(at) }
}
const isBlock = (id: number) => id === ids.block || id === ids.simpleBlock

/** Reads each track's codec. Computes the duration from the packets, because recorders omit it in the header. */
function readWebm(bytes: Buffer): { codecs: string[]; durationMs: number } {
  const codecs: string[] = []
  let nanoseconds = 1_000_000
  let clusterTime = 0
  let last: number | undefined
  for (const element of elementsOf(bytes)) {
    const { id, start, end } = element
    if (id === ids.track) codecs.push('')
    if (id === ids.codec) codecs.splice(-1, 1, bytes.toString('latin1', start, end))
    if (id === ids.scale) nanoseconds = numberAt(bytes, element)
    if (id === ids.clusterTime) clusterTime = numberAt(bytes, element)
    if (isBlock(id)) last = Math.max(last ?? 0, clusterTime + blockAt(bytes, element).time)
  }
  return { codecs, durationMs: last === undefined ? 0 : (last * nanoseconds) / 1_000_000 + lastPacketMs }
}

/** Replaces an element with a Void element of the same length. */
function erase(bytes: Buffer, { at, end }: { at: number; end: number }): void {
  const room = end - at - 1
  const width = Math.min(8, room)
  bytes.fill(0, at, end)
  bytes[at] = voidId
  bytes.writeUIntBE(room - width, at + 1 + width - Math.min(6, width), Math.min(6, width))
  bytes[at + 1] = (bytes[at + 1] ?? 0) | (0x80 >> (width - 1))
}

/**
 * Keeps only what is needed to play the single track of a WebM file. Overwrites everything else with zeros, so that no
 * offset changes. Returns the duration in milliseconds. Throws a RangeError if the file is truncated or isn't a single
 * Opus track.
 */
export function cleanWebm(bytes: Buffer): number {
  let track: number | undefined
  for (const element of elementsOf(bytes)) {
    const { id, start, end } = element
    if (id === ids.trackNumber) track = numberAt(bytes, element)
    if (holders.has(id)) continue
    const most = kept.get(id)
    if (most === undefined || (isBlock(id) && blockAt(bytes, element).track !== track)) erase(bytes, element)
    else bytes.fill(0, Math.min(end, start + most), end)
  }
  const { codecs, durationMs } = readWebm(bytes)
  if (codecs.join() !== 'A_OPUS') throw new RangeError('the file is not a single Opus track')
  return durationMs
}
