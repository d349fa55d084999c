import type { PictureKind } from './picture-kind.ts'

export interface OpenedPicture {
  source: ImageBitmap | HTMLImageElement
  width: number
  height: number
  close: () => void
}

const ofBitmap = (source: ImageBitmap): OpenedPicture => {
  const { width, height } = source
  return { source, width, height, close: () => source.close() }
}

/** Some browsers can show a format in an image element but can't decode it with `createImageBitmap`. */
async function openAsImage(file: Blob): Promise<OpenedPicture> {
  const url = URL.createObjectURL(file)
  const source = Object.assign(new Image(), { src: url })
  try {
    await source.decode()
    const { naturalWidth: width, naturalHeight: height } = source
    return { source, width, height, close: () => undefined }
  } finally {
    URL.revokeObjectURL(url)
  }
}

export async function openPicture(
  file: Blob,
  kind: PictureKind,
  signal?: AbortSignal,
): Promise<OpenedPicture | undefined> {
  const ways: (() => Promise<OpenedPicture>)[] = [() => createImageBitmap(file).then(ofBitmap)]
  if (kind === 'heic' || kind === 'avif') ways.push(() => openAsImage(file))
  if (kind === 'heic') {
    ways.push(async () => {
      const { decodeHeic } = await import('./heic.ts')
      return ofBitmap(await createImageBitmap(await decodeHeic(file, signal)))
    })
  }
  for (const way of ways) {
    try {
      return await way()
    } catch {}
  }
  return undefined
}
