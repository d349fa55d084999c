import { openPeeps } from '@dicebear/collection'
import { createAvatar } from '@dicebear/core'
import { scenes } from './scenes.ts'

export interface Look {
  seed: string
  head: string
  face: string
  skin: string
  hair: string
  clothes: string
  glasses: string | null
  beard: string | null
  scene: number
  zoom: number
  shift: number
}

export const width = 720
export const height = 960

type Options = Parameters<typeof createAvatar<openPeeps.Options>>[1]

function figure(look: Look): string {
  const options = {
    seed: look.seed,
    head: [look.head],
    face: [look.face],
    skinColor: [look.skin],
    headContrastColor: [look.hair],
    clothingColor: [look.clothes],
    accessories: look.glasses ? [look.glasses] : [],
    accessoriesProbability: look.glasses ? 100 : 0,
    maskProbability: 0,
    facialHair: look.beard ? [look.beard] : [],
    facialHairProbability: look.beard ? 100 : 0,
  } as Options
  return createAvatar(openPeeps, options).toString()
}

/** An SVG of a person (Open Peeps by Pablo Stanley, CC0) in front of a landscape. */
export function drawPortrait(look: Look): string {
  const scene = scenes[look.scene % scenes.length] ?? scenes[0]
  const size = Math.round(width * look.zoom)
  const x = Math.round((width - size) / 2 + look.shift * width)
  const person = figure(look).replace('<svg ', `<svg x="${x}" y="${height - size}" width="${size}" height="${size}" `)
  const sky = `<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${scene?.top}"/><stop offset="1" stop-color="${scene?.bottom}"/></linearGradient>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>${sky}</defs><rect width="${width}" height="${height}" fill="url(#sky)"/>${scene?.draw(width, height)}${person}</svg>`
}
