import { by } from '@duet/contract/order.ts'
/** A range of byte offsets in the file, or of times in the track's timescale. */
export type Stretch = [from: number, to: number]

export const flagsOf = (content: Buffer) => content.readUIntBE(1, 3)
export const bits = (flags: number, ...widths: [bit: number, bytes: number][]) =>
  widths.reduce((sum, [bit, bytes]) => sum + (flags & bit ? bytes : 0), 0)
export const byVersion = (content: Buffer, short: number, long: number) => (content[0] === 0 ? short : long)
/** Bytes per sample entry in a `trun` box. */
export const entryOf = (flags: number) => bits(flags, [0x100, 4], [0x200, 4], [0x400, 4], [0x800, 4])
/** Offset of the first sample entry in a `trun` box's content. */
export const runStart = (flags: number) => 8 + bits(flags, [0x1, 4], [0x4, 4])

const sumOf = (count: number, each: (n: number) => number) => {
  let sum = 0
  for (let n = 0; n < count; n += 1) sum += each(n)
  return sum
}

/** The duration and size of samples whose `trun` box doesn't list them. */
interface Defaults {
  duration: number
  size: number
}

/** Finds the byte ranges of an MP4 file that contain sound, and the total duration. */
export class SoundMap {
  private readonly spans: Stretch[] = []
  private readonly times: Stretch[] = []
  private readonly tables = new Map<string, Buffer>()
  private readonly tracks = { all: 0, heard: 0, ofAac: 0 }
  private base = 0
  private next = 0
  private time = 0
  private scale = 0
  private usual: Defaults = { duration: 0, size: 0 }
  private here: Defaults = this.usual

  addTrack(): void {
    this.tracks.all += 1
  }

  /** Reads one box's content. `fragment` is the byte offset of the enclosing `moof` box; 0 outside of one. */
  hear(type: string, content: Buffer, fragment: number): void {
    this.tables.set(type, content)
    if (type === 'hdlr') this.tracks.heard += content.toString('latin1', 8, 12) === 'soun' ? 1 : 0
    if (type === 'esds') this.tracks.ofAac += isAac(content) ? 1 : 0
    if (type === 'mdhd') this.scale = content.readUInt32BE(byVersion(content, 12, 20))
    if (type === 'stts') this.addTimes(content)
    if (type === 'trex') this.usual = { duration: content.readUInt32BE(12), size: content.readUInt32BE(16) }
    if (type === 'tfhd') this.startRuns(content, fragment)
    if (type === 'tfdt') this.time = content[0] === 0 ? content.readUInt32BE(4) : Number(content.readBigUInt64BE(4))
    if (type === 'trun') this.addRun(content)
  }

  /** The byte ranges that contain sound, in file order. They may overlap. */
  found(): readonly Stretch[] {
    this.addChunks()
    return this.spans.sort(by(([start]) => start))
  }

  /** Whether the file has exactly one track, in AAC format. */
  get isAlone(): boolean {
    return Object.values(this.tracks).every((count) => count === 1)
  }

  /** From the start of the first sample to the end of the last one, so that duplicate fragments count once. */
  get durationMs(): number {
    const from = this.times.reduce((least, [at]) => Math.min(least, at), Number.POSITIVE_INFINITY)
    const to = this.times.reduce((most, [, at]) => Math.max(most, at), 0)
    return this.scale > 0 && to > from ? ((to - from) / this.scale) * 1000 : 0
  }

  private add(from: number, length: number): void {
    this.spans.push([from, from + length])
    this.next = from + length
  }

  private addTime(length: number): void {
    this.times.push([this.time, this.time + length])
    this.time += length
  }

  private addTimes(content: Buffer): void {
    const count = content.readUInt32BE(4)
    this.addTime(sumOf(count, (n) => content.readUInt32BE(8 + 8 * n) * content.readUInt32BE(12 + 8 * n)))
  }

  private startRuns(content: Buffer, fragment: number): void {
    const flags = flagsOf(content)
    this.base = flags & 0x1 ? Number(content.readBigUInt64BE(8)) : fragment
    this.next = this.base
    const at = 8 + bits(flags, [0x1, 8], [0x2, 4])
    const sizeAt = at + bits(flags, [0x8, 4])
    this.here = {
      duration: flags & 0x8 ? content.readUInt32BE(at) : this.usual.duration,
      size: flags & 0x10 ? content.readUInt32BE(sizeAt) : this.usual.size,
    }
  }

  private addRun(content: Buffer): void {
    const flags = flagsOf(content)
    const count = content.readUInt32BE(4)
    const start = runStart(flags)
    const width = entryOf(flags)
    const sizeAt = start + bits(flags, [0x100, 4])
    const all = (isListed: number, at: number, usual: number) =>
      isListed ? sumOf(count, (n) => content.readUInt32BE(at + n * width)) : count * usual
    this.add(flags & 0x1 ? this.base + content.readInt32BE(8) : this.next, all(flags & 0x200, sizeAt, this.here.size))
    this.addTime(all(flags & 0x100, start, this.here.duration))
  }

  private offsets(): number[] {
    const short = this.tables.get('stco')
    const long = this.tables.get('co64')
    const read = (table: Buffer, at: (n: number) => number) =>
      Array.from({ length: table.readUInt32BE(4) }, (_, n) => at(n))
    if (short) return read(short, (n) => short.readUInt32BE(8 + 4 * n))
    return long ? read(long, (n) => Number(long.readBigUInt64BE(8 + 8 * n))) : []
  }

  private addChunks(): void {
    const sizes = this.tables.get('stsz')
    const runs = this.tables.get('stsc')
    if (!sizes || !runs || runs.readUInt32BE(4) === 0) return
    const same = sizes.readUInt32BE(4)
    let run = 0
    let sample = 0
    for (const [place, offset] of this.offsets().entries()) {
      while (run + 1 < runs.readUInt32BE(4) && runs.readUInt32BE(20 + 12 * run) <= place + 1) run += 1
      const count = runs.readUInt32BE(12 + 12 * run)
      const first = sample
      sample += count
      this.add(offset, same ? same * count : sumOf(count, (n) => sizes.readUInt32BE(12 + 4 * (first + n))))
    }
  }
}

// The object type indications of AAC: one of MPEG-4 and the three profiles of MPEG-2.
const aac = new Set([0x40, 0x66, 0x67, 0x68])

/** Whether an `esds` box describes AAC. Its descriptors have no optional fields, because `requirePlain` refuses those. */
function isAac(content: Buffer): boolean {
  // A descriptor's length may take several bytes; all but the last have the top bit set.
  const after = (at: number): number => ((content[at] ?? 0) & 0x80 ? after(at + 1) : at + 1)
  const decoder = after(5) + 3
  return content[4] === 3 && content[decoder] === 4 && aac.has(content[after(decoder + 1)] ?? 0)
}
