import { expect, it } from 'vitest'
import { recorded } from '../../test/attachments.ts'
import { appended, box, type Change } from '../../test/mp4-boxes.ts'
import { inspectVoice } from './inspect-voice.ts'

const canary = 'CANARY'

const inserted = (bytes: Buffer, at: number, extra: Buffer) =>
  Buffer.concat([bytes.subarray(0, at), extra, bytes.subarray(at)])

function replaced(text: string | Buffer, by: string): Change {
  return (bytes) => {
    const at = bytes.indexOf(text)
    if (at < 0) throw new Error(`no ${text}`)
    const changed = Buffer.from(bytes)
    changed.write(by.padEnd(text.length).slice(0, text.length), at, 'latin1')
    return changed
  }
}

const holders = [
  '',
  'moov',
  'moov/trak',
  'moov/trak/mdia',
  'moov/trak/mdia/minf',
  'moov/trak/mdia/minf/stbl',
  'moov/mvex',
]
const stbl = 'moov/trak/mdia/minf/stbl'
const mp4: Record<string, Change> = {
  ...Object.fromEntries(
    ['udta', 'meta', 'uuid', 'free', 'skip', '\xa9xyz'].flatMap((type) =>
      holders.map((path) => [`a box ${type} in ${path || 'the file'}`, appended(path, box(type, canary))]),
    ),
  ),
  'a second mdat': appended('', box('mdat', canary)),
  'bytes after the last frame': appended('mdat', Buffer.from(canary)),
  'the name of the handler': replaced('SoundHandler', canary),
  'a brand': appended('ftyp', Buffer.from(`${canary}xx`)),
  'bytes behind a header': appended('moov/mvhd', Buffer.from(canary)),
  'an address of the sound': appended('moov/trak/mdia/minf/dinf/dref', box('url ', Buffer.from(`\0\0\0\0${canary}`))),
  'a sample entry': appended(`${stbl}/stsd`, box('text', canary)),
  'a box of the codec': appended(`${stbl}/stsd/mp4a`, box('btrt', canary)),
}

const element = (id: string, content: string | Buffer = canary) =>
  Buffer.concat([Buffer.from(id, 'hex'), Buffer.from([0x80 | Buffer.byteLength(content)]), Buffer.from(content)])

const cluster = Buffer.from('1f43b675', 'hex')
const cues = Buffer.from('1c53bb6b', 'hex')
const beforeCluster =
  (extra: Buffer): Change =>
  (bytes) =>
    inserted(bytes, bytes.indexOf(cluster), extra)

function inElement(path: readonly string[], extra: Buffer): Change {
  return (bytes) => {
    const changed = Buffer.from(bytes)
    // Searches backwards, because the index near the start of the file contains the same ids.
    let at = changed.lastIndexOf(Buffer.from(path[0] ?? '', 'hex'), changed.indexOf(cluster))
    for (const id of path) {
      at = changed.indexOf(Buffer.from(id, 'hex'), at) + id.length / 2
      at += Math.clz32(changed[at] ?? 0) - 23
      changed[at - 1] = (changed[at - 1] ?? 0) + extra.length
    }
    return inserted(changed, at, extra)
  }
}

const [header, info, tracks, track, audio] = ['1a45dfa3', '1549a966', '1654ae6b', 'ae', 'e1']
const webm: Record<string, Change> = {
  'a Void element': beforeCluster(element('ec')),
  tags: beforeCluster(element('1254c367', element('7373', element('67c8', element('4487'))))),
  'an attachment': beforeCluster(element('1941a469')),
  chapters: beforeCluster(element('1043a770')),
  'an unknown element': beforeCluster(element('1f4a4a4a')),
  'a title': inElement([info], element('7ba9')),
  'a date': inElement([info], element('4461', `${canary}xx`)),
  'the program': replaced('Lavf59.27.100', canary),
  'the name of the track': inElement([tracks, track], element('536e')),
  'the name of the codec': inElement([tracks, track], element('258688')),
  'a Void element of the track': inElement([tracks, track, audio], element('ec')),
  'an element of the header': inElement([header], element('ec')),
  'a number that is too long': inElement([header], element('42f7', Buffer.from(`\0\0\0\0\0\0\0\x01${canary}`))),
  'a block of no track': (bytes) =>
    Buffer.concat([bytes, element('a3', Buffer.from(`\x85\0\0\x80${canary}`, 'latin1'))]),
}

const ogg: Record<string, Change> = {
  'the program': replaced('Lavf59.27.100', canary),
  'a comment': replaced('encoder=Lavc59', canary),
}

const frames = {
  mp4: (bytes: Buffer) => bytes.subarray(bytes.indexOf('mdat') + 4, bytes.indexOf('mfra') - 4),
  webm: (bytes: Buffer) => bytes.subarray(bytes.indexOf(cluster), bytes.indexOf(cues)),
  ogg: (bytes: Buffer) => bytes.subarray(bytes.indexOf('OggS', bytes.indexOf('OpusTags'))),
}

const cases = Object.entries({ mp4, webm, ogg }).flatMap(([format, changes]) =>
  Object.entries(changes).map(([what, change]) => [format as keyof typeof frames, what, change] as const),
)

it.each(cases)('a voice message in %s loses %s, and none of its sound', async (format, _what, change) => {
  const original = await recorded(`recorded.${format}`)
  const { durationMs } = await inspectVoice(Buffer.from(original))
  const changed = change(original)
  expect(changed.includes(canary)).toBe(true)
  const found = await inspectVoice(changed)
  const kept = Buffer.from(found.bytes)
  expect(kept.includes(canary)).toBe(false)
  expect(found.durationMs).toBe(durationMs)
  expect(kept.includes(frames[format](original))).toBe(true)
})

it.each([
  ['webkit.mp4', 2_438],
  ['webkit-2.mp4', 2_485],
  // One file has fragments of one frame each, with the duration only in `tfhd`; the other has it only in `trex`.
  ['every-frame.mp4', 2_523],
  ['defaults-of-track.mp4', 2_531],
  ['firefox.ogg', 2_032],
  ['firefox.webm', 2_026],
  ['chromium.webm', 1_940],
])('the duration of %s is measured as it plays', async (name, sounds) => {
  const { durationMs } = await inspectVoice(await recorded(name))
  expect(durationMs).toBe(sounds)
})

it('reads WebM as Safari writes it: a Void element as reserved space, unknown sizes, and cues at the end', async () => {
  const live = await recorded('chromium.webm')
  const room = beforeCluster(Buffer.concat([element('ec', Buffer.alloc(80))]))
  const index = element(
    '1c53bb6b',
    element('bb', Buffer.concat([element('b3', '\0'), element('b7', element('f7', '\x01'))])),
  )
  const { durationMs } = await inspectVoice(Buffer.concat([room(live), index]))
  expect(durationMs).toBe(1_940)
})

/** The first page of an Ogg file, with the serial number of another stream. */
function otherHead(bytes: Buffer): Buffer {
  const page = Buffer.from(bytes.subarray(0, 28 + 19))
  page.write(canary, 14, 4)
  return page
}

it.each([
  ['a second stream', (bytes: Buffer) => Buffer.concat([bytes, otherHead(bytes)])],
  ['bytes at its end', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from(canary)])],
  ['its end cut off', (bytes: Buffer) => bytes.subarray(0, -5)],
] as const)('an Ogg file with %s is rejected', async (_what, change) => {
  await expect(inspectVoice(change(await recorded('recorded.ogg')))).rejects.toMatchObject({
    code: 'unsupported_media_type',
  })
})
