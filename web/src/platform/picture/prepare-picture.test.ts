import { limits } from '@duet/contract/limits.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pictureFile } from '../../test/picture-file.ts'
import { kindOf } from './picture-kind.ts'
import { preparePicture, shrunkSize } from './prepare-picture.ts'

const many = new Uint8Array(2 * 1024 * 1024)
let drawn: string[]

function opens(width: number, height: number): void {
  vi.stubGlobal('createImageBitmap', async () => ({ width, height, close: () => undefined }))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function (this: HTMLCanvasElement) {
    drawn.push(`${this.width} x ${this.height}`)
    return { fillRect: () => undefined, drawImage: () => undefined } as never
  })
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
    done(new Blob(['drawn'], { type: 'image/jpeg' })),
  )
}

beforeEach(() => {
  drawn = []
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('no picture', 'InvalidStateError')))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it.each([
  ['jpeg', 'jpeg'],
  ['png', 'png'],
  ['webp', 'webp'],
  ['heic', 'heic'],
  ['avif', 'avif'],
  ['other', undefined],
] as const)('%s is detected from the file’s bytes, whatever its name and MIME type', async (kind, known) => {
  expect(await kindOf(pictureFile('holiday.txt', kind, 'x', 'text/plain'))).toBe(known)
})

it.each([
  [4000, 3000, 200, 2160, 1620],
  [3000, 4000, 200, 1620, 2160],
  [800, 600, 200, 800, 600],
  [20_000, 1, 200, 10_000, 1],
  [20_000, 450, 1440, 10_000, 225],
  [16_000, 3700, 200, 2160, 500],
  [16_000, 3700, 1440, 6227, 1440],
  [16_000, 1000, 200, 3200, 200],
])(
  'a %i x %i picture whose shorter side keeps up to %i px is sent as %i x %i',
  (width, height, shortest, toWidth, toHeight) => {
    expect(shrunkSize({ width, height }, shortest)).toEqual({ width: toWidth, height: toHeight })
  },
)

it('a small picture is sent unchanged', async () => {
  opens(800, 600)
  const file = pictureFile('small.jpg')
  expect(await preparePicture(file, 200)).toEqual({ file, size: { width: 800, height: 600 } })
})

it('a photo whose file exceeds the upload limit is downscaled', async () => {
  opens(6000, 4000)
  const file = pictureFile('phone.jpg', 'jpeg', new Uint8Array(limits.photoBytes * 1.5))
  expect(await preparePicture(file, 200)).toMatchObject({ file: { size: 5 }, size: { width: 2160, height: 1440 } })
  expect(drawn).toEqual(['2160 x 1440'])
})

it('a panorama with more pixels than the server accepts is downscaled, even in a small file', async () => {
  opens(16_000, 3700)
  expect(await preparePicture(pictureFile('panorama.jpg'), 200)).toMatchObject({ size: { width: 2160, height: 500 } })
})

it.each(['heic', 'avif'] as const)('a picture in %s is re-encoded if the browser can decode it', async (kind) => {
  opens(4032, 3024)
  expect(await preparePicture(pictureFile('IMG_1', kind), 200)).toMatchObject({ file: { type: 'image/jpeg' } })
})

it('a picture that can’t be decoded or drawn is sent unchanged, for the server to judge', async () => {
  const broken = pictureFile('broken.jpg', 'jpeg', many)
  expect(await preparePicture(broken, 200)).toEqual({ file: broken })
  opens(4000, 3000)
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  expect(await preparePicture(broken, 200)).toEqual({ file: broken })
})

it.each([
  ['a file in another format', pictureFile('notes.jpg', 'other', 'x', 'image/jpeg'), 'wrongType'],
  ['a file above the upload limit', pictureFile('a.jpg', 'jpeg', new Uint8Array(limits.photoBytes)), 'tooLarge'],
  ['AVIF that cannot be decoded', pictureFile('a.avif', 'avif'), 'wrongType'],
  ['HEIC that cannot be decoded', pictureFile('a.heic', 'heic'), 'heic'],
])('%s is refused with a reason', async (_, file, problem) => {
  expect(await preparePicture(file, 200)).toBe(problem)
})

it('a file that can no longer be read is refused as failed', async () => {
  const gone = pictureFile('gone.jpg')
  gone.slice = () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')) }) as never
  expect(await preparePicture(gone, 200)).toBe('failed')
})
