import { limits } from '@duet/contract/limits.ts'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../platform/errors.ts'
import { recorded } from '../../test/attachments.ts'
import { appended, box, boxAt, type Change } from '../../test/mp4-boxes.ts'
import { inspectVoice } from './inspect-voice.ts'

const u32 = (...numbers: number[]) => Buffer.concat(numbers.map((n) => Buffer.from([n >>> 24, n >>> 16, n >>> 8, n])))

/** Overwrites the content of the box at `path` with 32-bit numbers, from `offset` bytes on. */
function written(path: string, offset: number, ...numbers: number[]): Change {
  return (bytes) => {
    const changed = Buffer.from(bytes)
    u32(...numbers).copy(changed, boxAt(bytes, path) + 8 + offset)
    return changed
  }
}

/** Sets a box's size field, in bytes. A size of 1 means that a 64-bit size follows. */
const sized = (path: string, size: number) => written(path, -8, size)

const paths = ['ftyp', 'moov', 'moov/trak', 'moov/trak/mdia/mdhd', 'moov/mvex/trex', 'moof', 'moof/traf/trun', 'mdat']
const sizes = { 0: 0, 1: 1, 7: 7, '2 GiB': 0x80000000, '4 GiB': 0xffffffff }
const resized = paths.flatMap((path) =>
  Object.entries(sizes).map(([name, size]) => [`${path} of ${name} bytes`, sized(path, size)] as const),
)

const nested = (type: string, depth: number) => {
  const bytes = Buffer.alloc(depth * 8)
  for (let n = 0; n < depth; n += 1) {
    bytes.writeUInt32BE((depth - n) * 8, n * 8)
    bytes.write(type, n * 8 + 4, 'latin1')
  }
  return bytes
}
const repeated = (count: number, ...boxes: Buffer[]) => Buffer.concat(Array.from({ length: count }, () => boxes).flat())
/** A fragment with `samples` samples of 0 bytes each. `time` is the upper half of its 64-bit start time. */
const fragment = (time: number, samples: number) =>
  box(
    'moof',
    box(
      'traf',
      Buffer.concat([box('tfhd', u32(0, 1)), box('tfdt', u32(0x01000000, time, 0)), box('trun', u32(0, samples))]),
    ),
  )

const refused: Record<string, Change> = {
  'boxes nested 100,000 levels deep': (bytes) => Buffer.concat([bytes, nested('moov', 100_000)]),
  'nested tracks': appended('moov/trak', nested('trak', 10_000)),
  'a second track': appended('moov', box('trak')),
  'a video track': written('moov/trak/mdia/hdlr', 8, 0x76696465),
  'a timescale of 0': written('moov/trak/mdia/mdhd', 12, 0),
  'a fragment that starts in the distant future': appended('', fragment(0x7fffffff, 1)),
  'more samples than its run lists': written('moof/traf/trun', 4, 0xffffffff),
  'no fragments': (bytes) => bytes.subarray(0, boxAt(bytes, 'moof')),
  'MP3 instead of AAC': (bytes) => {
    const changed = Buffer.from(bytes)
    changed[bytes.indexOf(Buffer.from([0x40, 0x15]))] = 0x6b
    return changed
  },
}

const heard = (bytes: Buffer) =>
  inspectVoice(bytes).catch((error) => {
    if (error instanceof AppError) return error.code
    throw error
  })
const refusals = ['unsupported_media_type', 'payload_too_large']

/** Whether the file was either refused, or accepted with a duration within the limit. */
function judged(result: Awaited<ReturnType<typeof heard>>): boolean {
  if (typeof result === 'string') return refusals.includes(result)
  return result.durationMs > 0 && result.durationMs <= limits.voiceSeconds * 1000
}

describe('a malformed MP4 file', () => {
  it.each(Object.entries(refused))('a malformed MP4 file is rejected with %s', async (_what, change) => {
    expect(refusals).toContain(await heard(change(await recorded('recorded.mp4'))))
  })

  it.each(resized)('an MP4 file with %s is rejected or gets a valid duration', async (_what, change) => {
    expect(judged(await heard(change(await recorded('recorded.mp4'))))).toBe(true)
  })

  it.each(['recorded.mp4', 'defaults-of-track.mp4', 'webkit-2.mp4'])(
    'an MP4 file is rejected or gets a valid duration, wherever %s is cut off',
    async (name) => {
      const bytes = await recorded(name)
      const boxes = bytes.indexOf('mdat') + 16
      for (let length = 0; length < boxes; length += 1) {
        expect(judged(await heard(Buffer.from(bytes.subarray(0, length))))).toBe(true)
      }
    },
  )

  it('an MP4 file is rejected or gets a valid duration, whichever byte before the sound is changed', {
    tags: 'long',
  }, async () => {
    const bytes = await recorded('recorded.mp4')
    for (let at = 0; at < bytes.indexOf('mdat'); at += 1) {
      for (const byte of [0, 1, 0x7f, 0xff]) {
        const changed = Buffer.from(bytes)
        changed[at] = byte
        expect(judged(await heard(changed))).toBe(true)
      }
    }
  })

  it('an MP4 file is rejected or gets a valid duration, even with 20,000 fragments or 60,000 chunks', {
    tags: 'long',
  }, async () => {
    const bytes = await recorded('recorded.mp4')
    const many = Buffer.concat([bytes, repeated(20_000, fragment(0, 1), box('free'))])
    expect(await heard(many)).toMatchObject({ durationMs: expect.any(Number) })
    const places = Buffer.concat([u32(0, 60_000), u32(...Array.from({ length: 60_000 }, (_, n) => n * 16))])
    const tables = Buffer.concat([box('stsz', u32(0, 1, 0)), box('stsc', u32(0, 1, 1, 1, 1)), box('stco', places)])
    const scattered = appended('moov/trak/mdia/minf/stbl', tables)(bytes)
    expect(judged(await heard(Buffer.concat([scattered, repeated(60_000, box('mdat', 'x'))])))).toBe(true)
  })
})
