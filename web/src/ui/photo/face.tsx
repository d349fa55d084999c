import { charactersOf } from '@duet/contract/cut-text.ts'
import { classNames } from '../class-names.ts'
import { Photograph, type PhotographSource } from './photograph.tsx'

interface FaceProps {
  name: string
  photo: PhotographSource | null | undefined
  size?: 32 | 40 | 52 | 66 | 96
  online?: boolean
  /** Set if the name isn't shown beside the face, so that screen readers announce it. */
  alone?: boolean
}

const sizes = {
  32: 'size-8 text-s',
  40: 'size-10 text-m',
  52: 'size-13 text-xl',
  66: 'size-16.5 text-2xl',
  96: 'size-24 text-3xl',
}
const initials = (name: string) =>
  name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => charactersOf(word)[0] ?? '')
    .join('')
    .toLocaleUpperCase()

export function Face({ name, photo, size = 40, online, alone }: FaceProps) {
  const source = photo && { ...photo, alt: '' }
  return (
    <span className={classNames('relative inline-block flex-none', sizes[size])}>
      {alone && <span className="sr-only">{name}</span>}
      <span
        className="grid size-full place-items-center overflow-hidden rounded-full bg-accent-soft text-accent"
        aria-hidden="true"
      >
        {source ? (
          <Photograph photo={source} sizes={`${size}px`} />
        ) : (
          <span className="font-display font-[560]">{initials(name)}</span>
        )}
      </span>
      {online && (
        <span
          aria-hidden="true"
          className="absolute end-0 bottom-0 size-3 rounded-full bg-good ring-[2.5px] ring-surface"
        />
      )}
    </span>
  )
}
