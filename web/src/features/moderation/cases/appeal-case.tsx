import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Extra } from '../../../ui/boundary.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { EvidenceView } from '../../reports/reports.tsx'
import { DossierButton } from '../dossier/dossier-button.tsx'
import { Facts, PersonLink } from '../dossier/facts.tsx'
import { useDateFormats } from '../numbers-of.ts'
import type { Case } from './case.ts'
import { CaseFrame } from './case-frame.tsx'
import type { AppealForReview } from './cases.api.ts'
import { KeyButton } from './key-button.tsx'
import { caseKeys } from './keys.ts'
import { useClaim } from './use-claim.ts'

const AnswerSheet = lazily(async () => ({ default: (await import('../answer-sheet.tsx')).AnswerSheet }))
const outcomes = ['upheld', 'reversed'] as const

interface AppealCaseProps {
  appeal: AppealForReview
  waiting: Case
  onBack: () => void
}

export function AppealCase({ appeal, waiting, onBack }: AppealCaseProps) {
  const { t } = useTranslation('moderation')
  const claim = useClaim('appeal', appeal.id, true)
  return (
    <CaseFrame {...{ waiting, claim, onBack }} acts={<Acts appeal={appeal} disabled={claim.state === 'taken'} />}>
      <div className="grid gap-5 px-5.5 pb-5.5">
        <Words title={t('appeal.says', { name: appeal.person.name })} text={appeal.text} strong />
        <Words title={t('appeal.statement')} text={appeal.sanction.statement} />
        <Decision appeal={appeal} />
        <DossierButton person={appeal.person} />
      </div>
      <Evidence {...appeal} />
    </CaseFrame>
  )
}

function Evidence({ report, photo, sanction }: AppealForReview) {
  const keys = caseKeys.evidence
  if (report) return <EvidenceView {...report} since={report.createdAt} keys={keys} />
  if (!photo) return null
  const subject = { kind: 'photo', fileName: photo.fileName } as const
  const evidence = { profile: null, photos: [photo], messages: [] }
  return <EvidenceView {...{ evidence, subject, keys }} since={sanction.createdAt} />
}

function Words({ title, text, strong }: { title: string; text: string; strong?: boolean }) {
  return (
    <section>
      <h3 className="mb-1.5 text-s font-[540] text-ink-2">{title}</h3>
      <blockquote
        dir="auto"
        className={`border-s-2 ps-3.5 wrap-anywhere whitespace-pre-line ${strong ? 'border-accent' : 'border-line'}`}
      >
        {text}
      </blockquote>
    </section>
  )
}

function Decision({ appeal: { sanction, person, report } }: { appeal: AppealForReview }) {
  const { t } = useTranslation(['moderation', 'reports'])
  const { day } = useDateFormats()
  const by = sanction.decidedBy?.name ?? t(sanction.automated ? 'appeal.automated' : 'case.gone')
  return (
    <Facts
      facts={[
        [t('case.person'), <PersonLink key="person" {...person} />],
        [t('decide.ground'), t(`ground.${sanction.ground}`)],
        [t('appeal.decidedBy'), by],
        [t('appeal.decidedAt'), day(sanction.createdAt)],
        [t('appeal.ends'), sanction.endsAt ? day(sanction.endsAt) : t('appeal.noEnd')],
        [t('appeal.report'), report ? t(`reports:reason.${report.reason}`) : t('appeal.noReport')],
      ]}
    />
  )
}

function Acts({ appeal, disabled }: { appeal: AppealForReview; disabled: boolean }) {
  const { t } = useTranslation('moderation')
  const [outcome, setOutcome] = useState<(typeof outcomes)[number]>()
  return (
    <>
      {outcomes.map((one) => (
        <KeyButton key={one} disabled={disabled} shortcut={caseKeys[one]} onClick={() => setOutcome(one)}>
          {t(`appeal.act.${one}`)}
        </KeyButton>
      ))}
      {outcome && (
        <Extra onFail={() => setOutcome(undefined)}>
          <AnswerSheet {...{ appeal, outcome }} onClose={() => setOutcome(undefined)} />
        </Extra>
      )}
    </>
  )
}
