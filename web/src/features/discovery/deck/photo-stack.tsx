import type { Profile } from '@duet/contract/profiles.ts'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { NoPhoto } from '../../../ui/photo/no-photo.tsx'
import { Photograph } from '../../../ui/photo/photograph.tsx'

const cardSizes = '(min-width: 640px) 440px, 100vw'

interface PhotoStackProps {
  person: Pick<Profile, 'name' | 'photos'>
  index: number
  onTurn: (index: number) => void
  eager?: boolean
}

export function usePreload(photos: readonly (Profile['photos'][number] | undefined)[]): void {
  const urls = photos.map((photo) => photo?.url).join(' ')
  useEffect(() => {
    for (const url of urls.split(' ').filter(Boolean)) {
      const image = new Image()
      image.sizes = cardSizes
      image.srcset = `${url}&w=320 320w, ${url}&w=640 640w`
    }
  }, [urls])
}

export function PhotoStack({ person: { name, photos }, index, onTurn, eager = false }: PhotoStackProps) {
  const { t } = useTranslation('discovery')
  const photo = photos[index]
  usePreload(eager ? [photos[index + 1]] : [])
  const alt = t('deck.photoOf', { number: index + 1, count: photos.length, name })
  if (!photo) return <NoPhoto name={name} />
  return (
    <>
      <Photograph key={photo.fileName} photo={photo} eager={eager} sizes={cardSizes} fallbackAlt={alt} />
      {photos.length > 1 && (
        <>
          <div aria-hidden="true" className="pointer-events-none absolute inset-x-4.5 top-3.5 flex gap-1.25">
            {photos.map(({ fileName }, at) => (
              <span
                key={fileName}
                className={classNames(
                  'h-0.75 flex-1 rounded-full shadow-one',
                  at === index ? 'bg-white' : 'bg-white/45',
                )}
              />
            ))}
          </div>
          <Turn side="start" label={t('deck.previousPhoto')} disabled={index === 0} onClick={() => onTurn(index - 1)} />
          <Turn
            side="end"
            label={t('deck.nextPhoto')}
            disabled={index === photos.length - 1}
            onClick={() => onTurn(index + 1)}
          />
        </>
      )}
    </>
  )
}

interface TurnProps {
  side: 'start' | 'end'
  label: string
  disabled: boolean
  onClick: () => void
}

function Turn({ side, label, disabled, onClick }: TurnProps) {
  const Icon = side === 'start' ? ChevronLeft : ChevronRight
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={disabled}
      onClick={disabled ? undefined : onClick}
      className={classNames(
        'group/turn absolute inset-y-0 flex w-2/5 items-center px-3 focus-visible:outline-none',
        side === 'start' ? 'start-0 justify-start' : 'end-0 justify-end',
      )}
    >
      <span
        className={classNames(
          'grid size-11 place-items-center rounded-full bg-surface text-ink opacity-0 shadow-one transition group-focus-visible/turn:opacity-100 group-focus-visible/turn:outline-2 group-focus-visible/turn:outline-offset-2 group-focus-visible/turn:outline-accent',
          disabled ? 'group-focus-visible/turn:text-ink-3' : '[@media(hover:hover)]:group-hover/turn:opacity-100',
        )}
      >
        <Icon aria-hidden="true" className="mirror" />
      </span>
    </button>
  )
}
