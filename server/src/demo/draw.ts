import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { printPixels } from '../features/photos/develop.ts'
import type { Developed } from '../features/photos/developed.ts'
import { drawPortrait, type Look } from './portraits.ts'

export async function drawPhoto(look: Look): Promise<Developed> {
  const svg = Buffer.from(drawPortrait(look))
  const pixels = await sharp(svg).flatten({ background: '#fff' }).raw().toBuffer({ resolveWithObject: true })
  return { ...(await printPixels(pixels)), sha256: createHash('sha256').update(svg).digest() }
}
