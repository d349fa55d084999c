import type { Pose } from '@duet/contract/verification.ts'
import { classNames } from '../../ui/class-names.ts'
import { type PoseShape, poseShapes } from './pose-figures.ts'
import { Hand } from './pose-hand.tsx'

const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2.5,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const
// The skin is light and the lines are dark in the dark theme too, because an inverted face looks like a photographic
// negative.
const skin = { ...line, fill: undefined, className: 'fill-surface dark:fill-ink' } as const

/** Hidden from screen readers, because the text beside the drawing describes the pose. */
export function PoseFigure({ pose, className }: { pose: Pose; className?: string }) {
  const shape = poseShapes[pose]
  return (
    <svg viewBox="0 0 200 200" aria-hidden="true" className={classNames('text-ink dark:text-paper', className)}>
      <circle cx="100" cy="92" r="84" fill="var(--accent-soft)" />
      <Body />
      <g transform={`rotate(${shape.tilt ?? 0} 100 150)`}>
        <Head shape={shape} />
      </g>
      {shape.hand && <Hand {...shape.hand} />}
    </svg>
  )
}

const ears = 'M60 84a6 10 0 1 0 2 20M140 84a6 10 0 1 1-2 20'
const hair = 'M58 88c-6-38 14-58 42-58s48 20 42 58c-4-14-10-22-18-28-16 6-36 6-48 0-8 6-14 14-18 28Z'

function Body() {
  return (
    <>
      <path d="M30 204c2-32 24-46 50-50h40c26 4 48 18 50 50Z" {...skin} />
      <path d="M86 134v22c6 10 22 10 28 0v-22" {...skin} />
    </>
  )
}

function Head({ shape }: { shape: PoseShape }) {
  const { aside = 0, up = 0, eyes, mouth, cheeks } = shape
  // Looking up shows more of the chin than of the forehead; looking aside shows more of one ear.
  const features = `translate(${100 + aside} ${-up}) scale(${aside ? 0.76 : 1} 1) translate(-100 0)`
  return (
    <>
      {!aside && <path d={up ? 'M60 92a6 10 0 1 0 2 18M140 92a6 10 0 1 1-2 18' : ears} {...skin} />}
      <path
        d={
          cheeks
            ? 'M60 84c0-28 16-42 40-42s40 14 40 42c6 10 8 24 2 36-8 14-24 22-42 22s-34-8-42-22c-6-12-4-26 2-36Z'
            : 'M60 84c0-28 16-42 40-42s40 14 40 42c0 34-14 60-40 60S60 118 60 84Z'
        }
        {...skin}
      />
      <path d={hair} fill="currentColor" transform={up ? 'translate(0 12) scale(1 .6)' : undefined} />
      {aside > 0 && <path d="M70 84c-14-4-14 24 0 22" {...skin} />}
      {up > 0 && <path d="M80 137c12 9 28 9 40 0" {...line} />}
      <g transform={features}>
        <Eyes closed={eyes === 'closed'} up={up > 0} />
        <path d="M100 94c-2 6-4 10-2 13 2 1.500 4 1.500 6 0" {...line} />
        <Mouth look={mouth ?? 'calm'} />
        {cheeks && <path d="M94 124h12M66 108c-2 6-2 10 0 16M134 108c2 6 2 10 0 16" {...line} />}
      </g>
    </>
  )
}

function Eyes({ closed, up }: { closed: boolean; up: boolean }) {
  if (closed) return <path d="M76 88c3 4 11 4 14 0M110 88c3 4 11 4 14 0" {...line} />
  return (
    <>
      <circle cx="83" cy={up ? 84 : 88} r="3.500" fill="currentColor" />
      <circle cx="117" cy={up ? 84 : 88} r="3.500" fill="currentColor" />
      <path d="M75 76c4-4 10-4 14-1M111 75c4-3 10-3 14 1" {...line} />
    </>
  )
}

function Mouth({ look }: { look: 'calm' | 'open' | 'none' }) {
  if (look === 'none') return null
  if (look === 'open') return <ellipse cx="100" cy="124" rx="10" ry="9" fill="currentColor" />
  return <path d="M88 120c6 6 18 6 24 0" {...line} />
}
