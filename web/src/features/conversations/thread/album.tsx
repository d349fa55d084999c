import { CircleAlert, EllipsisVertical } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { Lightbox } from '../../../ui/lightbox/lightbox.tsx'
import type { PhotoAttachment } from '../attachments/attachments.api.ts'
import { isVeiled, VeiledPhoto } from '../attachments/veiled-photo.tsx'
import type { AlbumItem, MessageItem } from '../message/albums.ts'
import { bubbleEdge, Frame, useFreshAddress, Words } from '../message/bubble.tsx'
import { BubbleMeta, isStuck, NotSent, progressOf, Tick } from '../message/bubble-meta.tsx'
import { InertLinkNote } from '../message/bubble-text.tsx'
import { Quote } from '../message/quote.tsx'
import { Reactions } from '../message/reactions.tsx'
import { useThread } from '../thread-acts.ts'
import { useMessageMenu } from './use-message-menu.ts'

const albumWidth = 300

interface Layout {
  grid: string
  spanOf?: (index: number) => string
  ratio: number
}

const pair: Layout = { grid: 'grid-cols-2', ratio: 3 / 2 }
/** Keyed by the number of photos; other numbers use `pair`. */
const layouts: Record<number, Layout> = {
  3: { grid: 'grid-cols-3 grid-rows-2', spanOf: (index) => (index === 0 ? 'col-span-2 row-span-2' : ''), ratio: 3 / 2 },
  4: { grid: 'grid-cols-2 grid-rows-2', ratio: 1 },
  5: {
    grid: 'grid-cols-6 grid-rows-[3fr_2fr]',
    spanOf: (index) => (index < 2 ? 'col-span-3' : 'col-span-2'),
    ratio: 6 / 5,
  },
  6: { grid: 'grid-cols-3 grid-rows-2', ratio: 3 / 2 },
}
const layoutOf = ({ items }: AlbumItem): Layout => layouts[items.length] ?? pair

/** The estimated height in CSS pixels until the rendered album is measured. */
export function albumHeight(album: AlbumItem): number {
  const { items, last } = album
  const words = items.at(-1)?.message.message ? 40 : 0
  const quote = items[0]?.message.replyTo ? 52 : 0
  return albumWidth / layoutOf(album).ratio + words + quote + (last ? 32 : 3)
}

interface AlbumProps {
  album: AlbumItem
  tabStop: string | undefined
  shines: string | undefined
}

/** Each photo has its own menu, reactions and state; they share the text, time and ticks below. */
export function Album({ album, ...marks }: AlbumProps) {
  const { items, mine, last } = album
  const { t } = useTranslation('attachments')
  const quote = items[0]?.message.replyTo
  const end = items.at(-1)
  const stuck = items.filter(({ message }) => isStuck(message))
  const furthest = items.find(({ message }) => !isStuck(message))?.message
  const corner = mine ? 'rounded-ee-[6px]' : 'rounded-es-[6px]'
  const isFramed = quote !== undefined || Boolean(end?.message.message)
  const grid = <Grid {...{ album, furthest, ...marks }} className={last && !isFramed ? corner : ''} />
  return (
    <div className={classNames('flex flex-col', last ? 'pb-2.5' : 'pb-[3px]', mine ? 'items-end' : 'items-start')}>
      {isFramed ? (
        <Frame
          {...{ mine, last }}
          style={{ width: albumWidth + 2 * bubbleEdge }}
          className={classNames('p-1.5!', mine ? 'bg-accent text-on-accent' : 'bg-sunken')}
        >
          {quote && (
            <div className="px-2 pt-1.5">
              <Quote quote={quote} mine={mine} />
            </div>
          )}
          {grid}
          {end?.message.message && <Caption item={end} />}
        </Frame>
      ) : (
        <div className="max-w-[78%]" style={{ width: albumWidth }}>
          {grid}
        </div>
      )}
      {end && <InertLinkNote text={end.message.message} />}
      {stuck.map((item) => (
        <NotSent
          key={item.key}
          message={item.message}
          what={t('place', { n: items.indexOf(item) + 1, total: items.length })}
        />
      ))}
      {last && furthest && <BubbleMeta message={furthest} mine={mine} />}
    </div>
  )
}

function Caption({ item }: { item: MessageItem }) {
  return (
    <div {...useMessageMenu(item)} className="touch-manipulation px-2 pt-1.5 pb-1">
      <Words message={item.message} mine={item.mine} />
    </div>
  )
}

interface GridProps extends AlbumProps {
  /** The first message whose sending isn't stuck. Its state is shown for the whole album. */
  furthest: MessageItem['message'] | undefined
  className: string
}

function Grid({ album, furthest, tabStop, shines, className }: GridProps) {
  const { items, mine } = album
  const { t } = useTranslation('attachments')
  const { peer, photosOpen } = useThread()
  const [large, setLarge] = useState<string>()
  const onExpired = useFreshAddress(items.findLast(({ message }) => message.seq !== undefined)?.message ?? {})
  const total = items.length
  const { grid, spanOf = () => '', ratio } = layoutOf(album)
  const photos = items.map(({ message }, index) => {
    const words = { n: index + 1, total, name: peer.name }
    const photo = message.attachment as PhotoAttachment
    return { ...photo, veiled: !mine && !photosOpen, alt: t(mine ? 'yourPhotoOf' : 'photoOfFrom', words) }
  })
  // The lightbox skips photos that are still hidden. The photo it shows may also be deleted while it is open.
  const shown = photos.filter((photo) => !isVeiled(photo))
  const index = shown.findIndex(({ id }) => id === large)
  return (
    <>
      <ul
        aria-label={t('album')}
        style={{ aspectRatio: ratio }}
        className={classNames('grid w-full gap-[3px] overflow-hidden rounded-l', grid, className)}
      >
        {items.map((item, index) => {
          const photo = photos[index]
          return (
            photo && (
              <Cell
                key={item.key}
                {...{ item, photo, furthest, onExpired }}
                reveal={t('revealOf', { n: index + 1, total, name: peer.name })}
                isTabStop={item.key === tabStop}
                shines={item.key === shines}
                onLarge={() => setLarge(photo.id)}
                className={spanOf(index)}
              />
            )
          )
        })}
      </ul>
      {index >= 0 && (
        <Lightbox {...{ photos: shown, index, onExpired }} label={t('album')} onClose={() => setLarge(undefined)} />
      )}
    </>
  )
}

interface CellProps {
  item: MessageItem
  photo: PhotoAttachment & { alt: string }
  reveal: string
  furthest: MessageItem['message'] | undefined
  isTabStop: boolean
  shines: boolean
  onLarge: () => void
  onExpired: () => void
  className: string
}

const scrim = 'grid place-items-center rounded-full bg-[rgb(20_12_8/.62)] text-white'
// The ring is drawn over the photo, which would cover an outline of the cell.
const ring = 'after:pointer-events-none after:absolute after:inset-0 after:-outline-offset-3 after:outline-accent'

function Cell({ item, photo, reveal, furthest, isTabStop, shines, onLarge, onExpired, className }: CellProps) {
  const { message, mine } = item
  const { chosenKey } = useThread()
  const menu = useMessageMenu(item)
  return (
    <li
      data-key={item.key}
      tabIndex={isTabStop ? 0 : -1}
      className={classNames(
        'group/row relative min-h-0 min-w-0 touch-manipulation outline-none',
        ring,
        item.key === chosenKey || shines ? 'after:outline-3' : 'focus-visible:after:outline-3',
        className,
      )}
      {...menu}
    >
      <VeiledPhoto
        key={String(photo.veiled)}
        {...{ photo, reveal, onLarge, onExpired }}
        alt={photo.alt}
        width={albumWidth / 2}
        small
        className="size-full"
      />
      {message.seq !== undefined && <More item={item} />}
      <div className="absolute start-0 bottom-1.5">
        <Reactions message={message} mine={false} />
      </div>
      {mine && <State message={message} furthest={furthest} />}
    </li>
  )
}

function More({ item: { message } }: { item: MessageItem }) {
  const { t } = useTranslation('thread')
  const { openMenu } = useThread()
  const more = ({ currentTarget }: MouseEvent) => {
    const { left, bottom } = currentTarget.getBoundingClientRect()
    openMenu(message, { x: left, y: bottom })
  }
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={t('messageActs')}
      onClick={more}
      className={classNames(
        scrim,
        'absolute end-1.5 top-1.5 size-8 opacity-0 transition group-focus-within/row:opacity-100 group-hover/row:opacity-100 hover:bg-[rgb(20_12_8/.82)] [@media(hover:none)]:hidden',
      )}
    >
      <EllipsisVertical aria-hidden="true" className="size-4.5!" />
    </button>
  )
}

function State({ message, furthest }: Pick<CellProps, 'furthest'> & { message: MessageItem['message'] }) {
  const look = classNames(scrim, 'pointer-events-none absolute end-1.5 bottom-1.5 size-6')
  if (isStuck(message))
    return (
      <span className={classNames(look, 'bg-bad!')}>
        <CircleAlert aria-hidden="true" className="size-4!" />
      </span>
    )
  const state = progressOf(message)
  if (!furthest || progressOf(furthest) === state) return null
  return (
    <span className={look}>
      <Tick state={state} />
    </span>
  )
}
