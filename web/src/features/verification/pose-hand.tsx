import type { HandShape, PoseShape } from './pose-figures.ts'

type HandProps = NonNullable<PoseShape['hand']>

interface Limb {
  d: string
  width: number
}

const palm: Limb = { d: 'M-4 4H5V10H-4Z', width: 18 }
const finger = (d: string): Limb => ({ d, width: 8 })

/** The limbs of each hand, relative to its palm, with the fingers pointing up. */
const hands: Record<HandShape, Limb[]> = {
  open: [
    finger('M-11-2-18-30'),
    finger('M-3-5-6-38'),
    finger('M5-5 6-37'),
    finger('M12 0 18-26'),
    finger('M-10 10-27-6'),
  ],
  two: [finger('M-8-2-15-36'), finger('M3-4 10-37')],
  three: [finger('M-9-2-18-33'), finger('M0-5V-39'), finger('M9-2 18-33')],
  thumb: [{ d: 'M-6 0-8-28', width: 10 }],
  fist: [{ d: 'M-7-3H8', width: 19 }],
  point: [finger('M-5-2-8-38')],
  flat: [
    { d: 'M-7-2-8-34', width: 8.5 },
    { d: 'M0-2V-40', width: 8.5 },
    { d: 'M7-2 8-35', width: 8.5 },
    finger('M-10 12-20-4'),
  ],
  ring: [finger('M3-4 4-39'), finger('M10-2 17-33'), { d: 'M-7-1a11 11 0 1 0-9 1', width: 6.5 }],
}
const creases: Partial<Record<HandShape, string>> = {
  two: 'M-6 8c6-4 12-4 16 0M-6 14c4-3 8-3 12 0',
  three: 'M-4 10c5-4 9-4 13 0',
  thumb: 'M-2-1h14M-2 6h14M-1 13h12',
  fist: 'M-7-9v9M0-10v10M7-9v9',
  point: 'M1 0v7M7 1v7',
  flat: 'M-3.700-6v-18M3.700-6v-18',
}
const outline = 5

const size = 200

/** The distance from the palm to the edge of the drawing. The arm must not extend far beyond it. */
function reachOf({ x, y, turn }: Pick<HandProps, 'x' | 'y' | 'turn'>): number {
  const angle = (turn * Math.PI) / 180
  const aside = -Math.sin(angle)
  const down = Math.cos(angle)
  const toSide = aside > 0 ? (size - x) / aside : aside < 0 ? x / -aside : size
  return Math.round(Math.min(toSide, (size - y) / down))
}

/** Draws all outlines before the fills, so that the limbs merge into one hand. */
export function Hand({ shape, x, y, turn }: HandProps) {
  const arm: Limb = { d: `M0 16V${reachOf({ x, y, turn })}`, width: 22 }
  const limbs = [arm, palm, ...hands[shape]]
  const around = { fill: 'none', strokeLinecap: 'round', strokeLinejoin: 'round' } as const
  return (
    <g transform={`translate(${x} ${y}) rotate(${turn})`} {...around}>
      {limbs.map(({ d, width }) => (
        <path key={d} d={d} stroke="currentColor" strokeWidth={width + outline} />
      ))}
      {limbs.map(({ d, width }) => (
        <path key={d} d={d} className="stroke-surface dark:stroke-ink" strokeWidth={width} />
      ))}
      {creases[shape] && <path d={creases[shape]} stroke="currentColor" strokeWidth="2" />}
    </g>
  )
}
