import type { Dossier } from '@duet/contract/moderation.ts'
import { asProse, excessOf } from '@duet/contract/written-text.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../platform/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/form/text-area.tsx'
import { Photograph } from '../../../ui/photo/photograph.tsx'
import { useLift } from '../moderation.api.ts'
import { useDateFormats, useNumbersOf } from '../numbers-of.ts'
import { Facts } from './facts.tsx'
import { Linked } from './linked-accounts.tsx'

interface DossierViewProps {
  dossier: Dossier
  onOpen: (person: { id: string; name: string }) => void
}

/** What administrators may see of a person. It excludes the email address, birth date and chats. */
export function DossierView({ dossier, onOpen }: DossierViewProps) {
  const { t } = useTranslation('moderation')
  const { photos, sanctions, linked, isSuperAdmin } = dossier
  return (
    <div className="grid gap-6">
      {isSuperAdmin && <p className="rounded-m bg-accent-soft px-4 py-3 text-s">{t('dossier.superAdmin')}</p>}
      {photos.length > 0 && (
        <ul aria-label={t('dossier.photos')} className="grid grid-cols-4 gap-2">
          {photos.map((photo) => (
            <li key={photo.fileName} className="aspect-3/4 overflow-hidden rounded-s">
              <Photograph photo={photo} sizes="120px" fallbackAlt={t('dossier.photos')} />
            </li>
          ))}
        </ul>
      )}
      <KnownFacts dossier={dossier} />
      {linked.length > 0 && <Linked accounts={linked} onOpen={onOpen} />}
      <section>
        <h3 className="mb-2 font-[620]">{t('dossier.sanctions')}</h3>
        {sanctions.length === 0 ? (
          <p className="text-s text-ink-2">{t('dossier.noSanctions')}</p>
        ) : (
          <ul className="grid gap-3">
            {sanctions.map((sanction) => (
              <Judged key={sanction.id} sanction={sanction} />
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}

function KnownFacts({ dossier }: { dossier: Dossier }) {
  const { t } = useTranslation('moderation')
  const { whole } = useNumbersOf()
  const { day } = useDateFormats()
  const { age, area, verified, standing, standingUntil, createdAt, strikes, reportsAbout, reportsBy } = dossier
  const counts = ({ open, upheld, dismissed }: typeof reportsAbout) =>
    t('dossier.counts', { open: whole(open), upheld: whole(upheld), dismissed: whole(dismissed) })
  const until = standingUntil ? ` · ${t('dossier.until', { date: day(standingUntil) })}` : ''
  return (
    <div className="[&_dl]:sm:grid-cols-1">
      <Facts
        facts={[
          [t('dossier.age'), whole(age)],
          [t('dossier.area'), area ?? t('dossier.noArea')],
          [t('dossier.verified'), t(verified ? 'dossier.yes' : 'dossier.no')],
          [t('dossier.since'), day(createdAt)],
          [t('dossier.standing'), t(`standing.${standing}`) + until],
          [t('case.strikes'), whole(strikes)],
          [t('dossier.reportsAbout'), counts(reportsAbout)],
          [t('dossier.reportsBy'), counts(reportsBy)],
          [t('dossier.falseReports'), whole(reportsBy.falseReports)],
        ]}
      />
    </div>
  )
}

function Judged({ sanction }: { sanction: Dossier['sanctions'][number] }) {
  const { t } = useTranslation('moderation')
  const { day } = useDateFormats()
  const { id, kind, ground, statement, createdAt, endsAt, liftedAt, liftedAs, appeal } = sanction
  const isLive = !liftedAt && (!endsAt || Date.parse(endsAt) > Date.now())
  const dates = [day(createdAt), endsAt && t('dossier.until', { date: day(endsAt) })]
  const ends = [liftedAs && t(`dossier.lifted.${liftedAs}`), appeal && t(`dossier.appeal.${appeal}`)]
  return (
    <li className="grid gap-1.5 rounded-m bg-sunken p-4 text-s">
      <p className="font-[620]">
        {t(`sanction.${kind}`)} · {t(`ground.${ground}`)}
      </p>
      <p className="text-ink-2">{[...dates, ...ends].filter(Boolean).join(' · ')}</p>
      <p dir="auto" className="wrap-anywhere whitespace-pre-line">
        {statement}
      </p>
      {isLive && <Lift id={id} isTold={kind !== 'shadow'} />}
    </li>
  )
}

const reasonMin = 20
const reasonMax = 500

function Lift({ id, isTold }: { id: string; isTold: boolean }) {
  const { t } = useTranslation('moderation')
  const lift = useLift()
  const [reason, setReason] = useState<string>()
  const [tried, setTried] = useState(false)
  if (reason === undefined)
    return (
      <Button variant="text" size="s" className="-ms-3.5 justify-self-start" onClick={() => setReason('')}>
        {t('dossier.lift')}
      </Button>
    )
  const isShort = asProse(reason).length < reasonMin
  const send = () => {
    if (isShort) return setTried(true)
    if (excessOf(reason, reasonMax) > 0) return
    const told = {
      onSuccess: () => toast.success(t(isTold ? 'dossier.liftDone' : 'dossier.liftDoneUntold')),
      onError: () => toast.error(t('refused.other')),
    }
    lift.mutate({ id, reason }, told)
  }
  return (
    <div className="grid gap-2">
      <TextArea
        label={t('dossier.liftReason')}
        error={tried && isShort ? t('decide.tooShort', { count: reasonMin }) : undefined}
        maxLength={reasonMax}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button size="s" className="justify-self-end" busy={lift.isPending} onClick={send}>
        {t('dossier.lift')}
      </Button>
    </div>
  )
}
