import type { Evidence, PhotoEvidence, ProfileEvidence, ReportSubject } from '@duet/contract/reports.ts'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { BlurredPhoto } from './blurred-photo.tsx'
import { shortTime, Transcript } from './transcript.tsx'

interface EvidenceViewProps {
  evidence: Evidence
  subject: ReportSubject
  since: string
  keys?: string
}

/** The evidence is hidden until requested, and each picture is blurred until clicked. */
export function EvidenceView({ evidence, subject, since, keys }: EvidenceViewProps) {
  const { t } = useTranslation('reports')
  const [shown, setShown] = useState(false)
  const { later = [], ...first } = evidence
  return (
    <section aria-label={t('admin.evidence')} className="relative grid min-h-56 content-start gap-5 bg-sunken p-5.5">
      <div
        inert={!shown}
        className={classNames(
          'grid gap-5 transition duration-(--calm)',
          !shown && 'max-h-60 overflow-hidden opacity-60 blur-md select-none',
        )}
      >
        {later.length > 0 && <SeenAt label="first" at={since} />}
        <Sighting seen={first} subject={subject} />
        {later.map(({ seenAt, ...seen }) => (
          <div key={seenAt} className="grid gap-5 border-t border-line pt-5">
            <SeenAt label="again" at={seenAt} />
            <Sighting seen={seen} subject={subject} />
          </div>
        ))}
      </div>
      {!shown && (
        <div className="absolute inset-0 grid place-items-center">
          <Button
            variant="quiet"
            className="bg-surface! shadow-one"
            icon={<Eye aria-hidden="true" />}
            aria-keyshortcuts={keys}
            onClick={() => setShown(true)}
          >
            {t('admin.show')}
            {keys && (
              <span
                aria-hidden="true"
                className="hidden rounded-[6px] border border-line px-1.5 font-text text-xs text-ink-2 pointer-fine:inline"
              >
                {keys}
              </span>
            )}
          </Button>
        </div>
      )}
    </section>
  )
}

function SeenAt({ label, at }: { label: 'first' | 'again'; at: string }) {
  const { t, i18n } = useTranslation('reports')
  const time = shortTime(at, i18n.language)
  return (
    <h3 className="text-s font-[620]">
      <time dateTime={at}>{t(`admin.${label}`, { time })}</time>
    </h3>
  )
}

function Sighting({ seen, subject }: { seen: Omit<Evidence, 'later'>; subject: ReportSubject }) {
  const { t } = useTranslation('reports')
  const { profile, photos, messages } = seen
  if (!profile && messages.length === 0) return <p className="text-ink-2">{t('admin.nothing')}</p>
  return (
    <>
      {messages.length > 0 && (
        <Transcript messages={messages} seq={subject.kind === 'message' ? subject.seq : undefined} />
      )}
      {photos.length > 0 && <Photos photos={photos} />}
      {profile && <Words profile={profile} />}
    </>
  )
}

function Photos({ photos }: { photos: PhotoEvidence[] }) {
  const { t } = useTranslation('reports')
  return (
    <ul aria-label={t('admin.photos')} className="grid grid-cols-[repeat(auto-fill,minmax(132px,1fr))] gap-3">
      {photos.map((photo, place) => (
        <li key={photo.fileName ?? place} className="aspect-3/4">
          <BlurredPhoto photo={photo} label={t('admin.look', { place: place + 1 })} />
        </li>
      ))}
    </ul>
  )
}

function Words({ profile }: { profile: ProfileEvidence }) {
  const { t } = useTranslation(['reports', 'profiles'])
  const { name, age, area, bio, prompts } = profile
  return (
    <div className="grid gap-3">
      <p>
        <span className="display text-l wrap-anywhere">
          <bdi>{name}</bdi>, {age}
        </span>
        {area && <span className="ms-2 text-s text-ink-2">{area}</span>}
      </p>
      {bio && (
        <p dir="auto" className="break-words whitespace-pre-line">
          {bio}
        </p>
      )}
      {prompts.map(({ prompt, answer }) => (
        <p key={prompt} dir="auto" className="break-words whitespace-pre-line">
          <span className="block text-s text-ink-2">{t(`profiles:prompts.${prompt}`)}</span>
          {answer}
        </p>
      ))}
    </div>
  )
}
