import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { relativeTime } from '../../../platform/time.ts'
import { EvidenceView } from '../../reports/reports.tsx'
import { DecideActs } from '../decision/decide-acts.tsx'
import { DossierButton } from '../dossier/dossier-button.tsx'
import { Facts, PersonLink } from '../dossier/facts.tsx'
import { useNumbersOf } from '../numbers-of.ts'
import type { Case } from './case.ts'
import { CaseFrame } from './case-frame.tsx'
import type { OpenReport } from './cases.api.ts'
import { useClaim } from './use-claim.ts'

const actions = ['dismiss', 'warn', 'remove_item', 'restrict', 'suspend', 'ban'] as const

interface ReportCaseProps {
  report: OpenReport
  waiting: Case
  onBack: () => void
}

export function ReportCase({ report, waiting, onBack }: ReportCaseProps) {
  const { t, i18n } = useTranslation(['moderation', 'common'])
  const { receipt, reported, subject, details, evidence, others, changedSince, mayDecide } = report
  const claim = useClaim('report', receipt, mayDecide)
  const [now] = useState(() => new Date())
  const sameSubject = others.filter((other) => JSON.stringify(other.subject) === JSON.stringify(subject)).length
  const about = {
    ...{
      id: receipt,
      person: reported,
      language: report.language,
      ground: report.reason,
      suggested: report.suggested,
      sameSubject,
    },
    subject: subject.kind,
    said: evidence.messages.find(({ seq }) => subject.kind === 'message' && seq === subject.seq)?.sentAt,
  }
  return (
    <CaseFrame
      {...{ waiting, claim, onBack }}
      refusal={mayDecide ? undefined : t('case.own')}
      acts={<DecideActs kind="report" about={about} actions={actions} disabled={claim.state === 'taken'} />}
    >
      <div className="grid gap-4 px-5.5 pb-5.5">
        {details && (
          <blockquote dir="auto" className="border-s-2 border-line ps-3.5 wrap-anywhere whitespace-pre-line">
            {details}
          </blockquote>
        )}
        {changedSince && (
          <p className="rounded-m bg-accent-soft px-4 py-3 text-s">
            {t('case.changed', { when: relativeTime(changedSince, now, t, i18n.language) })}
          </p>
        )}
        <ReportFacts report={report} />
        {others.length > 0 && <Others others={others} />}
        <DossierButton person={reported} />
      </div>
      <EvidenceView {...{ evidence, subject }} since={report.createdAt} keys="O" />
    </CaseFrame>
  )
}

function ReportFacts({ report }: { report: OpenReport }) {
  const { t } = useTranslation('moderation')
  const { percent, whole } = useNumbersOf()
  const { reported, reporter, subject, receipt, trust, strikes } = report
  const trusted =
    trust.upheldShare === null
      ? t('case.noTrust')
      : t('case.trust', { count: trust.decided, n: whole(trust.decided), share: percent(trust.upheldShare) })
  return (
    <Facts
      facts={[
        [t('case.reported'), <PersonLink key="reported" {...reported} />],
        [t('case.strikes'), whole(strikes)],
        [t('case.reporter'), reporter ? <PersonLink key="reporter" {...reporter} /> : t('case.gone')],
        [t('case.trustLabel'), trusted],
        [t('case.about'), t(`case.subject.${subject.kind}`)],
        [t('case.receipt'), <bdi key="receipt">{receipt}</bdi>],
      ]}
    />
  )
}

function Others({ others }: Pick<OpenReport, 'others'>) {
  const { t, i18n } = useTranslation(['moderation', 'reports', 'common'])
  return (
    <section>
      <h3 className="text-s font-[620]">{t('case.others', { count: others.length })}</h3>
      <ul className="mt-1.5 grid gap-1 text-s">
        {others.map((other) => (
          <li key={other.receipt} className="flex flex-wrap gap-x-2 text-ink-2">
            <span className="text-ink">{t(`reports:reason.${other.reason}`)}</span>
            <span>{t(`case.subject.${other.subject.kind}`)}</span>
            <time dateTime={other.createdAt}>{relativeTime(other.createdAt, new Date(), t, i18n.language)}</time>
          </li>
        ))}
      </ul>
    </section>
  )
}
