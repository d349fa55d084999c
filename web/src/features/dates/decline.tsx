import { useTranslation } from 'react-i18next'
import { problemCode } from '../../platform/problem.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { useDeclineContact } from './dates.api.ts'

export function Decline({ linkKey }: { linkKey: string }) {
  const { t } = useTranslation('dates')
  const decline = useDeclineContact()
  if (decline.isSuccess)
    return (
      <div role="status" className="mt-4 grid gap-3 sm:mt-8">
        <h1 className="display text-2xl">{t('stop.doneTitle')}</h1>
        <p className="text-ink-2">{t('stop.done')}</p>
      </div>
    )
  return (
    <>
      <h1 className="display mt-4 text-2xl sm:mt-8">{t('stop.title')}</h1>
      <p className="text-ink-2 text-pretty">{t('stop.text')}</p>
      <div>
        <Button busy={decline.isPending} onClick={() => decline.mutate(linkKey)}>
          {t('stop.act')}
        </Button>
      </div>
      <FormError>
        {decline.isError && t(problemCode(decline.error) === 'not_found' ? 'stop.wrong' : 'problem.internal')}
      </FormError>
    </>
  )
}
