/*! Contains libheif and libde265, unmodified, from libheif-js. LGPL-3.0: https://github.com/catdad-experiments/libheif-js */
import libheif from 'libheif-js'

export type HeicAnswer = ImageData | undefined

async function decode(bytes: ArrayBuffer): Promise<HeicAnswer> {
  const images = new libheif.HeifDecoder().decode(new Uint8Array(bytes))
  const image = images.find((one) => one.is_primary()) ?? images[0]
  if (!image) return undefined
  const pixels = new ImageData(image.get_width(), image.get_height())
  return new Promise((resolve) => image.display(pixels, (drawn) => resolve(drawn ?? undefined)))
}

self.onmessage = async ({ data }: MessageEvent<ArrayBuffer>) => {
  const picture = await decode(data).catch(() => undefined)
  self.postMessage(picture, { transfer: picture ? [picture.data.buffer] : [] })
}
