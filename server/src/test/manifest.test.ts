import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../../../web/public')
interface Picture {
  src: string
  sizes: string
  type: string
  purpose?: string
}
const manifest = JSON.parse(readFileSync(join(folder, 'manifest.webmanifest'), 'utf8')) as {
  name: string
  id: string
  icons: Picture[]
  screenshots: Picture[]
  shortcuts: { url: string; icons: Picture[] }[]
}

it('Every picture in the manifest exists with the declared size and type.', async () => {
  const { icons, screenshots, shortcuts } = manifest
  const all = [...icons, ...screenshots, ...shortcuts.flatMap((one) => one.icons)]
  // Skips SVG, because the decoder blocks it and may already have been loaded in this process.
  for (const { src, sizes, type } of all.filter((one) => one.type !== 'image/svg+xml')) {
    const { width, height, format } = await sharp(readFileSync(join(folder, src))).metadata()
    expect({ type, sizes }, src).toEqual({ type: `image/${format}`, sizes: `${width}x${height}` })
  }
  expect(icons.slice(1).map(({ sizes, purpose = 'any' }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
    '512x512 monochrome',
  ])
})

it('The installed app keeps its id, and its name reveals nothing.', () => {
  // Browsers identify an app by its id; with a new id, it would be installed a second time.
  expect(manifest).toMatchObject({ id: '/home', name: 'Duet', short_name: 'Duet', start_url: '/home' })
  expect(manifest.shortcuts.map(({ url }) => url)).toEqual(['/chat', '/likes'])
})
