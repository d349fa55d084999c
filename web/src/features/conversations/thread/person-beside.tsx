import type { Profile } from '@duet/contract/profiles.ts'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../../ui/button.tsx'
import { NoPhoto } from '../../../ui/photo/no-photo.tsx'
import { Photograph } from '../../../ui/photo/photograph.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { useOwnDetails } from '../../accounts/accounts.ts'
import { FactRows, PersonCaption, useProfile } from '../../profiles/profiles.ts'
import { BesideShape, besideColumn } from './beside-shape.tsx'

const quiet = 'text-s font-[540] text-ink-2'

export default function PersonBeside({ id }: { id: string }) {
  const { t } = useTranslation('thread')
  const { data: profile, isPending } = useProfile(id)
  if (isPending) return <BesideShape />
  if (!profile) return null
  const [first, ...others] = profile.photos
  return (
    <aside aria-label={t('about', { name: profile.name })} className={besideColumn}>
      <div className="grid animate-fade gap-7 p-6">
        <div className="grid gap-4">
          <div className="relative aspect-4/5 overflow-hidden rounded-xl bg-sunken shadow-one">
            {first ? (
              <Photograph photo={first} sizes="332px" fallbackAlt={profile.name} />
            ) : (
              <NoPhoto name={profile.name} />
            )}
            <div className="scrim absolute inset-x-0 bottom-0 px-5.5 pt-18 pb-5 text-white">
              {/* The thread header already shows whether the person is online, so the caption doesn't. */}
              <PersonCaption person={{ ...profile, active: 'earlier' }} heading="h2" texts="profiles" />
            </div>
          </div>
          <LinkButton to={`/profile/${id}`} variant="quiet">
            {t('viewProfile')}
          </LinkButton>
        </div>
        <Said profile={profile} />
        <Shared profile={profile} />
        {/* The column is too narrow for two facts per line. */}
        <div className="[&_dl]:grid-cols-1">
          <FactRows profile={profile} />
        </div>
        {others.map((photo) => (
          <div key={photo.fileName} className="aspect-4/5 overflow-hidden rounded-xl shadow-one">
            <Photograph photo={photo} sizes="332px" fallbackAlt={profile.name} />
          </div>
        ))}
      </div>
    </aside>
  )
}

function Said({ profile: { bio, prompts } }: { profile: Profile }) {
  const { t } = useTranslation(['profiles', 'catalogue'])
  if (!bio && prompts.length === 0) return null
  return (
    <div className="grid gap-5">
      {bio && (
        <section>
          <h3 className={quiet}>{t('about')}</h3>
          <p dir="auto" className="mt-1 whitespace-pre-line wrap-anywhere">
            {bio}
          </p>
        </section>
      )}
      {prompts.map(({ prompt, answer }) => (
        <section key={prompt}>
          <h3 className={quiet}>{t(`prompts.${prompt}`)}</h3>
          <p dir="auto" className="mt-1 font-display text-[19px] leading-[1.3] tracking-[-.01em] wrap-anywhere">
            {answer}
          </p>
        </section>
      ))}
    </div>
  )
}

function Shared({ profile: { interests } }: { profile: Profile }) {
  const { t } = useTranslation(['profiles', 'catalogue'])
  const { data: own } = useOwnDetails()
  const isShared = (interest: (typeof interests)[number]) => own?.interests.includes(interest) ?? false
  if (interests.length === 0) return null
  return (
    <section>
      <h3 className={`${quiet} mb-2.5`}>{t('interests')}</h3>
      <ul className="flex flex-wrap gap-2">
        {[...interests.filter(isShared), ...interests.filter((interest) => !isShared(interest))].map((interest) => (
          <li key={interest}>
            <Tag shared={isShared(interest)}>
              {t(`catalogue:interests.${interest}`)}
              {isShared(interest) && <span className="sr-only">, {t('shared')}</span>}
            </Tag>
          </li>
        ))}
      </ul>
    </section>
  )
}
