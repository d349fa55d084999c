import { useTranslation } from 'react-i18next'
import { useSession } from '../../platform/session.ts'
import { LinkButton } from '../../ui/button.tsx'

/** A way back into the questions of sign-up, for who left some unanswered. Not a wall. */
export function FinishProfileNote() {
  const { t } = useTranslation('common')
  const hasGaps = useSession((state) => state.user?.onboardingComplete === false)
  if (!hasGaps) return null
  return (
    <section className="mx-4 mt-4 flex max-w-215 flex-wrap items-center gap-x-4 gap-y-3 rounded-l bg-surface px-5.5 py-4 shadow-one sm:mx-8">
      <div className="min-w-60 flex-1">
        <h2 className="font-[620]">{t('finishProfile.title')}</h2>
        <p className="text-s text-ink-2">{t('finishProfile.text')}</p>
      </div>
      <LinkButton to="/signup" variant="quiet">
        {t('finishProfile.act')}
      </LinkButton>
    </section>
  )
}
