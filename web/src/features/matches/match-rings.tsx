import type { Photo } from '@duet/contract/photos.ts'
import { classNames } from '../../ui/class-names.ts'
import { Photograph } from '../../ui/photo/photograph.tsx'

interface Face {
  name: string
  photo: Photo | null
}

const circle =
  'absolute inset-y-0 aspect-square rounded-full [--size:min(50vw,27dvh,300px)] size-(--size) will-change-transform'
// The first circle is on the left, as in the logo, regardless of text direction.
const sides = { first: 'left-0 [--from:-34%]', second: 'right-0 [--from:34%]' } as const

export function MatchRings({ me, them }: { me: Face; them: Face }) {
  return (
    <div
      dir="ltr"
      className="relative flex-none self-center h-[min(50vw,27dvh,300px)] w-[calc(min(50vw,27dvh,300px)*1.78)] animate-beat"
    >
      <Portrait {...me} className={sides.first} />
      <Portrait {...them} className={sides.second} />
      {/* Both rings are drawn above both portraits, so that each ring crosses the other portrait. */}
      <Ring className={sides.first} />
      <Ring className={sides.second} />
    </div>
  )
}

function Portrait({ name, photo, className }: Face & { className: string }) {
  return (
    <div className={classNames(circle, 'animate-meet overflow-hidden bg-accent-soft', className)}>
      {photo ? (
        <Photograph photo={photo} sizes="(min-width: 640px) 440px, 100vw" fallbackAlt={name} eager />
      ) : (
        <span role="img" aria-label={name} className="grid size-full place-items-center">
          <span aria-hidden="true" className="font-display text-[72px]/none text-accent">
            {[...name][0]}
          </span>
        </span>
      )}
    </div>
  )
}

const Ring = ({ className }: { className: string }) => (
  <span
    aria-hidden="true"
    className={classNames(circle, 'pointer-events-none animate-meet border-6 border-accent', className)}
  />
)
