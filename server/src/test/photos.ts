import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import type { TestApp } from './app.ts'
import type { Person } from './people.ts'

/** A picture that compresses badly, like a photo. */
export const noise = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#a63', noise: { type: 'gaussian', sigma: 30 } } })

export const noisyJpeg = (width = 240, height = 320): Promise<Buffer> => noise(width, height).jpeg().toBuffer()

export function photoForm(...files: [name: string, bytes: Buffer, fileName?: string | undefined][]): FormData {
  const data = new FormData()
  for (const [name, bytes, fileName = 'photo.jpg'] of files)
    data.append(name, new Blob([new Uint8Array(bytes)]), fileName)
  return data
}

export const uploadPhotos = (who: Person, form: FormData, owner = who.id) =>
  who.call('PATCH /api/user/:userId/image', { params: { userId: owner }, form })

export async function addOne(who: Person) {
  const { status, body } = await uploadPhotos(who, photoForm(['file', await noisyJpeg()]))
  if (status !== 200) throw new Error(`not uploaded: ${JSON.stringify(body)}`)
  return body.photos.at(-1) as (typeof body.photos)[number]
}

export async function fetchFrom(app: TestApp, path: string) {
  const response = await fetch(app.url + path)
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

export async function storedFiles({ platform }: TestApp): Promise<number> {
  const all = await readdir(join(platform.config.dataDir, 'media'), { recursive: true }).catch(() => [])
  return all.filter((name) => name.endsWith('.webp')).length
}
