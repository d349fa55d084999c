import type { Profile } from '@duet/contract/profiles.ts'
import { MapPin } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { NoPhoto } from '../../ui/no-photo.tsx'
import { Photograph } from '../../ui/photograph.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tag } from '../../ui/tag.tsx'
import { VerifiedMark } from '../../ui/verified-mark.tsx'
import { FactRows } from './fact-rows.tsx'

const frame =
  'mx-auto grid w-full max-w-115 gap-6 px-3.5 pt-3 pb-16 sm:pt-6 min-[1300px]:max-w-231 min-[1300px]:grid-cols-[minmax(0,440px)_minmax(0,1fr)] min-[1300px]:gap-8 min-[1300px]:px-8'

interface ProfilePageProps {
  profile: Profile
  /** What the viewer likes: shared interests stand out. */
  interests: ReadonlySet<string>
  acts?: ReactNode
  /** What stands on a photo, by its place from 1. */
  onPhoto?: (photo: Profile['photos'][number], place: number) => ReactNode
  /** Why the two might get on. */
  why?: ReactNode
}

/** A person's page: pictures, words, facts. */
export function ProfilePage({ profile, interests, acts, onPhoto, why }: ProfilePageProps) {
  const [first, ...others] = profile.photos
  return (
    <article className={frame} aria-label={`${profile.name}, ${profile.age}`}>
      <div className="grid content-start gap-6">
        <Portrait profile={profile} photo={first}>
          {first && onPhoto?.(first, 1)}
        </Portrait>
        {acts}
      </div>
      <div className="grid content-start gap-6">
        {why}
        {profile.bio && <Words text={profile.bio} title="about" />}
        {profile.prompts.map(({ prompt, answer }) => (
          <Words key={prompt} text={answer} prompt={prompt} />
        ))}
        <Interests profile={profile} interests={interests} />
        <FactRows profile={profile} />
      </div>
      {others.length > 0 && (
        <div className="grid gap-6 min-[1300px]:col-span-2 min-[1300px]:grid-cols-2 min-[1300px]:gap-8">
          {others.map((photo, index) => (
            <div key={photo.fileName} className="relative aspect-3/4 overflow-hidden rounded-xl shadow-one">
              <Photograph photo={photo} sizes="(min-width: 640px) 440px, 100vw" fallbackAlt={profile.name} />
              {onPhoto?.(photo, index + 2)}
            </div>
          ))}
        </div>
      )}
    </article>
  )
}

interface PortraitProps {
  profile: Profile
  photo: Profile['photos'][number] | undefined
  children?: ReactNode
}

function Portrait({ profile, photo, children }: PortraitProps) {
  const { t } = useTranslation('profiles')
  const { name, age, distanceKm, area, active, verified } = profile
  const where = distanceKm ? t('within', { km: distanceKm }) : area
  return (
    <div className="relative aspect-3/4 overflow-hidden rounded-xl bg-sunken shadow-one">
      {photo ? (
        <Photograph photo={photo} eager sizes="(min-width: 640px) 440px, 100vw" fallbackAlt={name} />
      ) : (
        <NoPhoto name={name} />
      )}
      <div className="scrim absolute inset-x-0 bottom-0 px-6.5 pt-21 pb-6 text-white">
        {/* A long name gets smaller, so that the age stays in sight. */}
        <h1
          className={classNames(
            'display line-clamp-3 -mb-[.12em] pb-[.12em] wrap-anywhere',
            name.length > 18 ? 'text-[26px]' : 'text-[36px]',
          )}
        >
          <bdi>{name}</bdi> <span className="font-normal opacity-92">{age}</span>
          {verified && <VerifiedMark label={t('verified')} />}
        </h1>
        <p className="mt-2 flex flex-wrap gap-x-3.5 text-[15px] font-medium">
          {where && (
            <span className="inline-flex items-center gap-1.5">
              <MapPin aria-hidden="true" className="size-4" />
              {where}
            </span>
          )}
          {active !== 'earlier' && (
            <span className="inline-flex items-center gap-1.5">
              <span aria-hidden="true" className="size-2 rounded-full bg-[#7fe0a9]" />
              {t(`active.${active}`)}
            </span>
          )}
        </p>
      </div>
      {children}
    </div>
  )
}

function Words({
  text,
  title,
  prompt,
}: {
  text: string
  title?: 'about'
  prompt?: Profile['prompts'][number]['prompt']
}) {
  const { t } = useTranslation(['profiles', 'catalogue'])
  return (
    <Card>
      <h2 className="text-s font-[540] text-ink-2">{prompt ? t(`prompts.${prompt}`) : t(title ?? 'about')}</h2>
      <p
        dir="auto"
        className="mt-1.5 font-display text-[23px] leading-[1.28] tracking-[-.01em] wrap-anywhere whitespace-pre-line"
      >
        {text}
      </p>
    </Card>
  )
}

function Interests({ profile, interests }: Pick<ProfilePageProps, 'profile' | 'interests'>) {
  const { t } = useTranslation(['profiles', 'catalogue'])
  if (profile.interests.length === 0) return null
  const sharedFirst = profile.interests.toSorted((a, b) => Number(interests.has(b)) - Number(interests.has(a)))
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

/** The shape of a page that is on its way. */
export function ProfileSkeleton() {
  return (
    <div aria-hidden="true" className={frame}>
      <Skeleton className="aspect-3/4 rounded-xl" />
      <div className="grid content-start gap-6">
        <Skeleton className="h-32 rounded-l" />
        <Skeleton className="h-28 rounded-l" />
        <Skeleton className="h-9 w-2/3" />
      </div>
    </div>
  )
}
