import { bits, byVersion, entryOf, flagsOf, runStart, SoundMap, type Stretch } from './voice-mp4-sound.ts'

/** A box of an MP4 file: `at` is its offset, `start` that of its content, `end` that of what follows. */
interface Box {
  type: string
  at: number
  start: number
  end: number
}

/** Boxes that contain other boxes, and the number of bytes before the first of these. */
const holders: Record<string, number> = {
  ...{ moov: 0, trak: 0, edts: 0, mdia: 0, minf: 0, dinf: 0, dref: 8, stbl: 0, stsd: 8, mp4a: 28 },
  ...{ mvex: 0, moof: 0, traf: 0 },
}

const listed = (at: number, width: number) => (content: Buffer) => at + 4 + width * content.readUInt32BE(at)

/** The other boxes that playback needs, and how many of their bytes to keep. */
const used: Record<string, (content: Buffer) => number> = {
  ftyp: (content) => content.length,
  mvhd: (content) => byVersion(content, 100, 112),
  tkhd: (content) => byVersion(content, 84, 96),
  elst: (content) => 8 + byVersion(content, 12, 20) * content.readUInt32BE(4),
  mdhd: (content) => byVersion(content, 24, 36),
  // Excludes the name at the end.
  hdlr: () => 12,
  smhd: () => 8,
  // Excludes a URL, because the sound is in the file.
  'url ': () => 4,
  esds: (content) => content.length,
  stts: listed(4, 8),
  stsc: listed(4, 12),
  stsz: (content) => 12 + (content.readUInt32BE(4) === 0 ? 4 * content.readUInt32BE(8) : 0),
  stco: listed(4, 4),
  co64: listed(4, 8),
  mehd: (content) => byVersion(content, 8, 12),
  trex: () => 24,
  mfhd: () => 8,
  tfhd: (content) => 8 + bits(flagsOf(content), [0x1, 8], [0x2, 4], [0x8, 4], [0x10, 4], [0x20, 4]),
  tfdt: (content) => byVersion(content, 8, 12),
  trun: (content) => runStart(flagsOf(content)) + entryOf(flagsOf(content)) * content.readUInt32BE(4),
}
const dated = new Set(['mvhd', 'tkhd', 'mdhd'])
const brands = /^(iso[m\d]|mp4[12]|M4A |cmfc|dash)$/

function* boxesIn(bytes: Buffer, from: number, to: number): Generator<Box> {
  for (let at = from; at < to; ) {
    const short = bytes.readUInt32BE(at)
    const start = at + (short === 1 ? 16 : 8)
    const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short
    const end = short === 0 ? to : at + size
    if (end < start || end > to) throw new RangeError('the file is cut off')
    yield { type: bytes.toString('latin1', at + 4, at + 8), at, start, end }
    at = end
  }
}

/**
 * For each decoder descriptor, the length of its own fields and its maximum length. Anything longer isn't an AAC
 * setting.
 */
const descriptors: Record<number, { own: number; most: number }> = {
  3: { own: 3, most: 64 },
  4: { own: 13, most: 48 },
  5: { own: 16, most: 16 },
  6: { own: 1, most: 1 },
}

/** Throws for descriptors that playback doesn't need. */
function requirePlain(bytes: Buffer, from: number, to: number): void {
  for (let at = from; at < to; ) {
    const { own, most } = descriptors[bytes[at] ?? 0] ?? { own: 0, most: -1 }
    let size = 0
    let last = 0x80
    for (at += 1; last & 0x80 && at < to; at += 1) {
      last = bytes[at] ?? 0
      size = size * 128 + (last & 0x7f)
    }
    // If any of the three upper bits is set, the descriptor has an extra address or id.
    const isAddressed = own === 3 && (bytes[at + 2] ?? 0) >= 0x20
    if (size > most || at + size > to || isAddressed) throw new RangeError('an odd descriptor')
    requirePlain(bytes, at + own, at + size)
    at += size
  }
}

/** Merges spans that overlap or touch. They must be sorted by their start. */
function joined(sorted: readonly Stretch[]): Stretch[] {
  const whole: Stretch[] = []
  for (const [from, to] of sorted) {
    const last = whole.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else whole.push([from, to])
  }
  return whole
}

/**
 * Zeroes the parts of the boxes that are outside the spans. Returns the number of bytes kept. Both lists must be in
 * file order.
 */
function keepSpans(bytes: Buffer, spans: readonly Stretch[], boxes: readonly Box[]): number {
  let kept = 0
  let place = 0
  for (const { start, end } of boxes) {
    let at = start
    for (let span = spans[place]; span && span[0] < end; span = spans[place]) {
      const from = Math.min(end, Math.max(at, span[0]))
      const to = Math.min(end, Math.max(at, span[1]))
      bytes.fill(0, at, from)
      kept += to - from
      at = to
      if (span[1] > end) break
      place += 1
    }
    bytes.fill(0, at, end)
  }
  return kept
}

interface Cleaning {
  bytes: Buffer
  map: SoundMap
  data: Box[]
}

function cleanLeaf({ bytes, map }: Cleaning, { type, start, end }: Box, fragment: number): void {
  const content = bytes.subarray(start, end)
  const length = used[type]?.(content) ?? 0
  if (length > content.length) throw new RangeError('a box is cut off')
  content.fill(0, length)
  if (dated.has(type)) content.fill(0, 4, byVersion(content, 12, 20))
  if (type === 'esds') requirePlain(content, 4, content.length)
  for (let at = 8; type === 'ftyp' && at + 4 <= length; at += 4)
    if (!brands.test(content.toString('latin1', at, at + 4))) content.write('isom', at)
  map.hear(type, content, fragment)
}

function cleanBoxes(cleaning: Cleaning, from: number, to: number, fragment = 0): void {
  const { bytes, data } = cleaning
  const boxes = [...boxesIn(bytes, from, to)]
  for (const [place, box] of boxes.entries()) {
    const { type, at, start, end } = box
    const own = holders[type]
    const after = boxes[place + 1]
    // WebKit writes some boxes twice; only the second copy has the right offsets.
    const isTwin = after !== undefined && bytes.subarray(at, end).equals(bytes.subarray(after.at, after.end))
    if (type === 'mp4a' && bytes.readUInt16BE(start + 8) !== 0) throw new RangeError('a version of QuickTime')
    if (type === 'trak' && !isTwin) cleaning.map.addTrack()
    if (type === 'mdat') data.push(box)
    else if (own !== undefined && !isTwin) cleanBoxes(cleaning, start + own, end, type === 'moof' ? at : fragment)
    else if (used[type] && !isTwin) cleanLeaf(cleaning, box, fragment)
    else bytes.fill(0, start, end).write('free', at + 4)
  }
}

/**
 * Keeps only what is needed to play the single sound track of an MP4 file. Overwrites everything else with zeros, so
 * that no offset changes. Returns the duration in milliseconds. Throws a RangeError if the file is truncated, isn't a
 * single AAC track, or uses a feature that can't be checked.
 */
export function cleanMp4(bytes: Buffer): number {
  const map = new SoundMap()
  const data: Box[] = []
  cleanBoxes({ bytes, map, data }, 0, bytes.length)
  if (!map.isAlone) throw new RangeError('the file is not a single AAC track')
  if (keepSpans(bytes, joined(map.found()), data) === 0) throw new RangeError('the file has no sound')
  return map.durationMs
}
