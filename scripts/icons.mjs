// node scripts/icons.mjs: draws the icons of the installed app from web/public/icon.svg, and takes its screenshots from
// the pictures that visitors see. Run it after the mark or those pictures have changed, and commit what it writes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

const root = join(fileURLToPath(import.meta.url), '../..')
const folder = join(root, 'web/public')
const mark = readFileSync(join(folder, 'icon.svg'), 'utf8')
const paper = '#faf6f0'
/** The rings without the paper they are on. */
const rings = mark.replace(/<rect[^>]*\/>/, '')

const drawn = (svg, size) => sharp(Buffer.from(svg), { density: (72 * size) / 64 }).resize(size, size)
const write = (image, name) => image.png({ palette: true }).toFile(join(folder, name))

/** On paper to all edges: systems cut it to a shape of their own, and keep the inner four fifths. */
const onPaper = async (size, share) => {
  const inner = Math.round(size * share)
  const input = await drawn(rings, inner).png().toBuffer()
  return sharp({ create: { width: size, height: size, channels: 4, background: paper } }).composite([{ input }])
}

for (const size of [192, 512]) await write(drawn(mark, size), `icon-${size}.png`)
await write(await onPaper(512, 0.9), 'icon-maskable-512.png')
await write(await onPaper(180, 1), 'apple-touch-icon.png')
// Only what is opaque counts: systems fill it with a colour of their own.
await write(
  drawn(rings.replace(/fill="#\w+" fill-opacity="[^"]*"/, 'fill="none"').replaceAll('#b83b28', '#000'), 512),
  'icon-monochrome-512.png',
)
for (const name of ['deck', 'chat', 'reasons'])
  await sharp(join(root, `web/src/features/accounts/welcome/pictures/${name}-light.webp`))
    .webp({ quality: 80 })
    .toFile(join(folder, `screenshot-${name}.webp`))
