import { by } from '@duet/contract/order.ts'
import type { Profile } from '@duet/contract/profiles.ts'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/card.tsx'
import { Lightbox, prepareLightbox } from '../../ui/lightbox/lightbox.tsx'
import { NoPhoto } from '../../ui/photo/no-photo.tsx'
import { Photograph } from '../../ui/photo/photograph.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tag } from '../../ui/tag.tsx'
import { FactRows } from './facts/fact-rows.tsx'
import { PersonCaption } from './person-caption.tsx'

// Two columns if the page itself is wide enough; a container query, because the panel may take up part of the window.
const frame =
  'mx-auto grid w-full max-w-115 grid-cols-1 gap-6 px-3.5 pt-3 pb-16 sm:pt-5 @min-[700px]:max-w-231 @min-[700px]:grid-cols-[minmax(0,7fr)_minmax(0,6fr)] @min-[700px]:gap-8 @min-[700px]:px-8'
// The picture and buttons stay visible during scrolling if the window is tall enough for them.
const beside =
  'grid grid-cols-1 content-start gap-6 @min-[700px]:self-start [@media(min-height:860px)]:@min-[700px]:sticky [@media(min-height:860px)]:@min-[700px]:top-[calc(var(--bar)+20px)]'

type PagePhoto = Profile['photos'][number]
type PagePrompt = Profile['prompts'][number]

interface ProfilePageProps {
  profile: Profile
  interests: ReadonlySet<string>
  top?: ReactNode
  acts?: ReactNode
  /** `place` counts from 1. */
  onPhoto?: (photo: PagePhoto, place: number) => ReactNode
  onPrompt?: (prompt: PagePrompt) => ReactNode
  why?: ReactNode
}

export function ProfilePage({ profile, interests, top, acts, onPhoto, onPrompt, why }: ProfilePageProps) {
  const [first, ...others] = profile.photos
  const words = profile.prompts.map((one) => (
    <Words key={one.prompt} text={one.answer} prompt={one.prompt}>
      {onPrompt?.(one)}
    </Words>
  ))
  if (profile.bio) words.unshift(<Words key="about" text={profile.bio} title="about" />)
  const { lightbox, opener } = useLightbox(profile)
  const photos = others.map((photo, index) => (
    <div key={photo.fileName} className="relative aspect-3/4 overflow-hidden rounded-xl shadow-one">
      <Photograph photo={photo} sizes={photoSizes} fallbackAlt={profile.name} />
      {opener(index + 1)}
      {onPhoto?.(photo, index + 2)}
    </div>
  ))
  return (
    <div className="@container">
      <article className={frame} aria-label={`${profile.name}, ${profile.age}`}>
        {top && <div className="-mb-4 @min-[700px]:col-span-2">{top}</div>}
        <div className={beside}>
          <Portrait profile={profile} photo={first}>
            {first && opener(0)}
            {first && onPhoto?.(first, 1)}
          </Portrait>
          {acts}
        </div>
        <div className="grid content-start gap-6">
          {why}
          {inTurn(words, photos)}
          <Interests profile={profile} interests={interests} />
          <FactRows profile={profile} />
        </div>
      </article>
      {lightbox}
    </div>
  )
}

function useLightbox({ name, photos }: Profile) {
  const { t } = useTranslation('profiles')
  const [open, setOpen] = useState<number>()
  const count = photos.length
  const named = (index: number) => t('photoOf', { number: index + 1, count, name })
  const opener = (index: number) => (
    <button
      type="button"
      aria-label={t('openPhoto', { photo: named(index) })}
      aria-haspopup="dialog"
      onPointerEnter={prepareLightbox}
      onFocus={prepareLightbox}
      onClick={() => setOpen(index)}
      className="absolute inset-0 cursor-zoom-in rounded-xl focus-visible:-outline-offset-4 focus-visible:outline-white"
    />
  )
  const lightbox = open !== undefined && (
    <Lightbox
      label={t('photosOf', { name })}
      photos={photos.map((photo, index) => ({ ...photo, alt: photo.alt || named(index) }))}
      index={open}
      onClose={() => setOpen(undefined)}
    />
  )
  return { lightbox, opener }
}

const photoSizes = '(min-width: 640px) 440px, 100vw'

const inTurn = (words: readonly ReactNode[], photos: readonly ReactNode[]): ReactNode[] =>
  Array.from({ length: Math.max(words.length, photos.length) }, (_, place) => [words[place], photos[place]]).flat()

interface PortraitProps {
  profile: Profile
  photo: PagePhoto | undefined
  children?: ReactNode
}

function Portrait({ profile, photo, children }: PortraitProps) {
  const { name } = profile
  return (
    <div className="relative aspect-3/4 overflow-hidden rounded-xl bg-sunken shadow-one">
      {photo ? <Photograph photo={photo} eager sizes={photoSizes} fallbackAlt={name} /> : <NoPhoto name={name} />}
      <div className="scrim pointer-events-none absolute inset-x-0 bottom-0 ps-6.5 pe-20 pt-21 pb-6 text-white">
        <PersonCaption person={profile} heading="h1" texts="profiles" />
      </div>
      {children}
    </div>
  )
}

interface WordsProps {
  text: string
  title?: 'about'
  prompt?: PagePrompt['prompt']
  children?: ReactNode
}

function Words({ text, title, prompt, children }: WordsProps) {
  const { t } = useTranslation(['profiles', 'catalogue'])
  return (
    <Card className="relative">
      <h2 className="text-s font-[540] text-ink-2">{prompt ? t(`prompts.${prompt}`) : t(title ?? 'about')}</h2>
      {/* Leaves space for the like button, whose side depends on the direction of the page, not of the text. */}
      <div className={children ? 'pe-11' : undefined}>
        <p
          dir="auto"
          className="mt-1.5 font-display text-[23px] leading-[1.28] tracking-[-.01em] wrap-anywhere whitespace-pre-line"
        >
          {text}
        </p>
      </div>
      {children}
    </Card>
  )
}

function Interests({ profile, interests }: Pick<ProfilePageProps, 'profile' | 'interests'>) {
  const { t } = useTranslation(['profiles', 'catalogue'])
  if (profile.interests.length === 0) return null
  const sharedFirst = profile.interests.toSorted(by((interest) => !interests.has(interest)))
  const common = profile.interests.filter((interest) => interests.has(interest)).length
  return (
    <section>
      <h2 className="mb-3 text-s font-[540] text-ink-2">
        {t('interests')}
        {common > 0 && <span className="text-accent"> · {t('common', { count: common })}</span>}
      </h2>
      <ul className="flex flex-wrap gap-2">
        {sharedFirst.map((interest) => (
          <li key={interest}>
            <Tag shared={interests.has(interest)}>
              {t(`catalogue:interests.${interest}`)}
              {interests.has(interest) && <span className="sr-only">, {t('shared')}</span>}
            </Tag>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function ProfileSkeleton() {
  return (
    <div aria-hidden="true" className="@container">
      <div className={frame}>
        <Skeleton className="aspect-3/4 rounded-xl" />
        <div className="grid content-start gap-6">
          <Skeleton className="h-32 rounded-l" />
          <Skeleton className="h-28 rounded-l" />
          <Skeleton className="h-9 w-2/3" />
        </div>
      </div>
    </div>
  )
}
