// node scripts/icons.mjs: renders the app icons from web/public/icon.svg and the install screenshots from the welcome
// pictures. Run it after changing either of them, and commit the results.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

const root = join(fileURLToPath(import.meta.url), '../..')
const folder = join(root, 'web/public')
const mark = readFileSync(join(folder, 'icon.svg'), 'utf8')
const paper = '#faf6f0'
const rings = mark.replace(/<rect[^>]*\/>/, '')

const drawn = (svg, size) => sharp(Buffer.from(svg), { density: (72 * size) / 64 }).resize(size, size)
const write = (image, name) => image.png({ palette: true }).toFile(join(folder, name))

/** Fills the background to the edges, because systems crop maskable icons to as little as the inner 80%. */
const onPaper = async (size, share) => {
  const inner = Math.round(size * share)
  const input = await drawn(rings, inner).png().toBuffer()
  return sharp({ create: { width: size, height: size, channels: 4, background: paper } }).composite([{ input }])
}

for (const size of [192, 512]) await write(drawn(mark, size), `icon-${size}.png`)
await write(await onPaper(512, 0.9), 'icon-maskable-512.png')
await write(await onPaper(180, 1), 'apple-touch-icon.png')
// For this icon, systems use only the alpha channel and choose the colour.
await write(
  drawn(rings.replace(/fill="#\w+" fill-opacity="[^"]*"/, 'fill="none"').replaceAll('#b83b28', '#000'), 512),
  'icon-monochrome-512.png',
)
for (const name of ['deck', 'chat', 'reasons'])
  await sharp(join(root, `web/src/features/accounts/welcome/pictures/${name}-light.webp`))
    .webp({ quality: 80 })
    .toFile(join(folder, `screenshot-${name}.webp`))
