/** One box of an MP4 file: where it, its content and what follows it begin. */
interface Box {
  type: string
  at: number
  start: number
  end: number
}

/** Boxes that hold others, after so many bytes of their own. */
const holders: Record<string, number> = {
  ...{ moov: 0, trak: 0, edts: 0, mdia: 0, minf: 0, dinf: 0, dref: 8, stbl: 0, stsd: 8, mp4a: 28 },
  ...{ mvex: 0, moof: 0, traf: 0 },
}

const flagsOf = (content: Buffer) => content.readUIntBE(1, 3)
const bits = (flags: number, ...widths: [bit: number, bytes: number][]) =>
  widths.reduce((sum, [bit, bytes]) => sum + (flags & bit ? bytes : 0), 0)
const byVersion = (content: Buffer, short: number, long: number) => (content[0] === 0 ? short : long)
const listed = (at: number, width: number) => (content: Buffer) => at + 4 + width * content.readUInt32BE(at)
const entryOf = (flags: number) => bits(flags, [0x100, 4], [0x200, 4], [0x400, 4], [0x800, 4])
const runStart = (flags: number) => 8 + bits(flags, [0x1, 4], [0x4, 4])

/** The other boxes that playing needs, and how much of each has a meaning. */
const used: Record<string, (content: Buffer) => number> = {
  ftyp: (content) => content.length,
  mvhd: (content) => byVersion(content, 100, 112),
  tkhd: (content) => byVersion(content, 84, 96),
  elst: (content) => 8 + byVersion(content, 12, 20) * content.readUInt32BE(4),
  mdhd: (content) => byVersion(content, 24, 36),
  // Without the name that follows.
  hdlr: () => 12,
  smhd: () => 8,
  // Without an address: the sound is in the file.
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
/** Boxes that tell when they were made. */
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

/** What of a decoder's descriptors comes before others, and how long one may be: more would be no settings of AAC. */
const descriptors: Record<number, { own: number; most: number }> = {
  3: { own: 3, most: 64 },
  4: { own: 13, most: 48 },
  5: { own: 16, most: 16 },
  6: { own: 1, most: 1 },
}

/** Throws for descriptors that playing does not need. */
function requirePlain(bytes: Buffer, from: number, to: number): void {
  for (let at = from; at < to; ) {
    const { own, most } = descriptors[bytes[at] ?? 0] ?? { own: 0, most: -1 }
    let [size, last] = [0, 0x80]
    for (at += 1; last & 0x80 && at < to; at += 1) {
      last = bytes[at] ?? 0
      size = size * 128 + (last & 0x7f)
    }
    // With any of the three upper bits, an address or an id follows.
    const isAddressed = own === 3 && (bytes[at + 2] ?? 0) >= 0x20
    if (size > most || at + size > to || isAddressed) throw new RangeError('an odd descriptor')
    requirePlain(bytes, at + own, at + size)
    at += size
  }
}

/** Where the sound is in the file, from what its boxes say. */
class SoundMap {
  private readonly spans: [from: number, to: number][] = []
  private base = 0
  private next = 0
  private size = { usual: 0, here: 0 }
  private readonly tables = new Map<string, Buffer>()

  /** Called for each box with its content. `fragment` is the offset of the enclosing fragment, in bytes. */
  hear(type: string, content: Buffer, fragment: number): void {
    this.tables.set(type, content)
    if (type === 'trex') this.size.usual = content.readUInt32BE(16)
    if (type === 'tfhd') this.startRuns(content, fragment)
    if (type === 'trun') this.addRun(content)
  }

  /** All of it, in the order of the file. */
  found() {
    this.addChunks()
    return this.spans.sort(([a], [b]) => a - b)
  }

  private add(from: number, length: number): void {
    this.spans.push([from, from + length])
    this.next = from + length
  }

  private startRuns(content: Buffer, fragment: number): void {
    const flags = flagsOf(content)
    this.base = flags & 0x1 ? Number(content.readBigUInt64BE(8)) : fragment
    this.next = this.base
    const sizeAt = 8 + bits(flags, [0x1, 8], [0x2, 4], [0x8, 4])
    this.size.here = flags & 0x10 ? content.readUInt32BE(sizeAt) : this.size.usual
  }

  private addRun(content: Buffer): void {
    const flags = flagsOf(content)
    const [count, start, width] = [content.readUInt32BE(4), runStart(flags), entryOf(flags)]
    const sizeAt = start + bits(flags, [0x100, 4])
    let length = flags & 0x200 ? 0 : count * this.size.here
    for (let n = 0; flags & 0x200 && n < count; n += 1) length += content.readUInt32BE(sizeAt + n * width)
    this.add(flags & 0x1 ? this.base + content.readInt32BE(8) : this.next, length)
  }

  private offsets(): number[] {
    const [short, long] = [this.tables.get('stco'), this.tables.get('co64')]
    const read = (table: Buffer, at: (n: number) => number) =>
      Array.from({ length: table.readUInt32BE(4) }, (_, n) => at(n))
    if (short) return read(short, (n) => short.readUInt32BE(8 + 4 * n))
    return long ? read(long, (n) => Number(long.readBigUInt64BE(8 + 8 * n))) : []
  }

  private addChunks(): void {
    const [sizes, runs] = [this.tables.get('stsz'), this.tables.get('stsc')]
    if (!sizes || !runs || runs.readUInt32BE(4) === 0) return
    const same = sizes.readUInt32BE(4)
    let [run, sample] = [0, 0]
    for (const [place, offset] of this.offsets().entries()) {
      while (run + 1 < runs.readUInt32BE(4) && runs.readUInt32BE(20 + 12 * run) <= place + 1) run += 1
      const count = runs.readUInt32BE(12 + 12 * run)
      let length = same * count
      for (let n = 0; same === 0 && n < count; n += 1) length += sizes.readUInt32BE(12 + 4 * (sample + n))
      sample += count
      this.add(offset, length)
    }
  }
}

/** Makes zeros of everything between `from` and `to` that is in no span. */
function keepSpans(bytes: Buffer, spans: readonly (readonly [number, number])[], from: number, to: number): number {
  let [at, length] = [from, 0]
  for (const span of spans) {
    const [first, last] = [Math.min(to, Math.max(at, span[0])), Math.min(to, span[1])]
    if (last <= first) continue
    bytes.fill(0, at, first)
    length += last - first
    at = last
  }
  bytes.fill(0, at, to)
  return length
}

interface Cleaning {
  bytes: Buffer
  map: SoundMap
  /** The boxes that hold sound. */
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
    // WebKit writes some boxes twice; the offsets of the second one are right.
    const isTwin = after !== undefined && bytes.subarray(at, end).equals(bytes.subarray(after.at, after.end))
    if (type === 'mp4a' && bytes.readUInt16BE(start + 8) !== 0) throw new RangeError('a version of QuickTime')
    if (type === 'mdat') data.push(box)
    else if (own !== undefined && !isTwin) cleanBoxes(cleaning, start + own, end, type === 'moof' ? at : fragment)
    else if (used[type] && !isTwin) cleanLeaf(cleaning, box, fragment)
    else bytes.fill(0, start, end).write('free', at + 4)
  }
}

/**
 * Leaves of an MP4 file what playing its one track of sound needs; all else becomes zeros in place, so that nothing moves.
 * Throws RangeError when it is cut off or says something that can't be judged.
 */
export function cleanMp4(bytes: Buffer): void {
  const cleaning: Cleaning = { bytes, map: new SoundMap(), data: [] }
  cleanBoxes(cleaning, 0, bytes.length)
  const spans = cleaning.map.found()
  const lengths = cleaning.data.map(({ start, end }) => keepSpans(bytes, spans, start, end))
  if (lengths.every((length) => length === 0)) throw new RangeError('there is no sound in it')
}
