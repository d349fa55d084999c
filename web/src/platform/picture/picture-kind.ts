/** A picture's format, detected from its bytes because the file name and MIME type may be wrong or empty. */
export type PictureKind = 'jpeg' | 'png' | 'webp' | 'heic' | 'avif'

const heic = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'mif2', 'msf1'])

function brandsOf(head: string): string[] {
  if (head.slice(4, 8) !== 'ftyp') return []
  const size = [...head.slice(0, 4)].reduce((sum, byte) => sum * 256 + byte.charCodeAt(0), 0)
  return head.slice(8, size).match(/.{4}/gs) ?? []
}

/** Returns undefined for other formats. Throws if the file can't be read. */
export async function kindOf(file: Blob): Promise<PictureKind | undefined> {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 128).arrayBuffer()))
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'webp'
  const brands = brandsOf(head)
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'avif'
  return brands.some((brand) => heic.has(brand)) ? 'heic' : undefined
}

const offered = ['image/jpeg', 'image/png', 'image/webp']
// Only WebKit on iOS supports this property. Its file picker converts HEIC photos to JPEG unless the page accepts HEIC.
const isIos = () => globalThis.CSS?.supports?.('-webkit-touch-callout', 'none') ?? false

export const offeredPictures = (): string =>
  (isIos() ? offered : [...offered, 'image/avif', 'image/heic', 'image/heif', '.heic', '.heif']).join(',')
