import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { DecideActs } from '../decision/decide-acts.tsx'
import type { DecidedCase } from '../decision/decided-case.ts'
import { DossierButton } from '../dossier/dossier-button.tsx'
import { Facts, PersonLink } from '../dossier/facts.tsx'
import { useNumbersOf } from '../numbers-of.ts'
import type { Case } from './case.ts'
import { CaseFrame } from './case-frame.tsx'
import type { Review } from './cases.api.ts'
import { useClaim } from './use-claim.ts'

const actions = ['dismiss', 'warn', 'restrict', 'suspend', 'ban'] as const

/** An unknown kind of review is shown as the server sends it. */
export function useReviewTitle(): (kind: string) => string {
  const { t, i18n } = useTranslation('moderation')
  return (kind) =>
    i18n.exists(`moderation:review.kind.${kind}`) ? t(`review.kind.${kind}`) : kind.replaceAll('_', ' ')
}

interface ReviewCaseProps {
  review: Review
  waiting: Case
  onBack: () => void
}

export function ReviewCase({ review, waiting, onBack }: ReviewCaseProps) {
  const { t, i18n } = useTranslation('moderation')
  const { whole } = useNumbersOf()
  const { id, kind, person, language, note, standing, strikes, suggested } = review
  const claim = useClaim('review', id, true)
  const about = useMemo<DecidedCase>(
    () => ({ id, person, language, suggested, ground: 'spam', subject: 'account', sameSubject: 0 }),
    [id, person, language, suggested],
  )
  return (
    <CaseFrame
      {...{ waiting, claim, onBack }}
      acts={<DecideActs kind="review" about={about} actions={actions} disabled={claim.state === 'taken'} />}
    >
      <div className="grid gap-4 px-5.5 pb-5.5">
        <p dir="auto" className="border-s-2 border-line ps-3.5 wrap-anywhere whitespace-pre-line">
          {note}
        </p>
        {i18n.exists(`moderation:review.means.${kind}`) && (
          <p className="text-s text-ink-2 text-pretty">{t(`review.means.${kind}`)}</p>
        )}
        <Facts
          facts={[
            [t('case.person'), <PersonLink key="person" {...person} />],
            [t('dossier.standing'), t(`standing.${standing}`)],
            [t('case.strikes'), whole(strikes)],
          ]}
        />
        <DossierButton person={person} />
      </div>
    </CaseFrame>
  )
}
