import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../../../web/public')
const { icons } = JSON.parse(readFileSync(join(folder, 'manifest.webmanifest'), 'utf8')) as {
  icons: { src: string; sizes: string; type: string; purpose?: string }[]
}

/** Width and height as a PNG's header has them. */
const sizeOf = (png: Buffer) => `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`

it('every icon of the manifest is there in the size that it says', () => {
  const pictures = icons.filter(({ type }) => type === 'image/png')
  for (const { src, sizes } of pictures) expect(sizeOf(readFileSync(join(folder, src))), src).toBe(sizes)
  expect(pictures.map(({ sizes, purpose = 'any' }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
})
