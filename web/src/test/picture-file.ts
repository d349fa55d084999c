const heads = {
  jpeg: '\xff\xd8\xff\xe0',
  png: '\x89PNG\r\n\x1a\n',
  webp: 'RIFF\0\0\0\0WEBP',
  heic: '\0\0\0\x18ftypmif1\0\0\0\0mif1heic',
  avif: '\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf',
  other: '<svg/>',
}

const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

/** A file with the first bytes of this format, followed by `content`. The MIME type is empty unless `type` is given. */
export function pictureFile(
  name: string,
  kind: keyof typeof heads = 'jpeg',
  content: BlobPart = name,
  type = '',
): File {
  return new File([bytesOf(heads[kind]), content], name, { type })
}
