import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAddress } from '../../platform/address/address.tsx'
import { problemCode } from '../../platform/problem.ts'
import { createQueryClient } from '../../platform/query/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Wordmark } from '../../ui/wordmark.tsx'
import { useUnsubscribe } from './mails.api.ts'

/**
 * The /unsubscribe?token=… screen, linked from emails. Email scanners open links automatically, so unsubscribing
 * requires a button press.
 */
export default function UnsubscribeScreen() {
  const { t } = useTranslation('mails')
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <PageTitle>{t('stop.title')}</PageTitle>
      <div className="mx-auto flex min-h-dvh w-full max-w-140 flex-col px-4 pb-10 sm:px-6">
        <header className="flex h-18 flex-none items-center">
          <Wordmark />
        </header>
        <main className="mt-4 grid gap-5 sm:mt-8">
          <Stop />
        </main>
      </div>
    </QueryClientProvider>
  )
}

function Stop() {
  const { t } = useTranslation('mails')
  const { search } = useAddress()
  const stop = useUnsubscribe()
  if (stop.isSuccess)
    return (
      <div role="status" className="grid gap-3">
        <h1 className="display text-2xl">{t('stop.doneTitle')}</h1>
        <p className="text-ink-2 text-pretty">{t(`stop.done.${stop.data.group}`)}</p>
        <p className="text-ink-2 text-pretty">{t('stop.again')}</p>
      </div>
    )
  return (
    <>
      <h1 className="display text-2xl">{t('stop.title')}</h1>
      <p className="text-ink-2 text-pretty">{t('stop.text')}</p>
      <div>
        <Button busy={stop.isPending} onClick={() => stop.mutate(search.get('token') ?? '')}>
          {t('stop.act')}
        </Button>
      </div>
      <FormError>{stop.isError && t(problemCode(stop.error) === 'not_found' ? 'stop.wrong' : 'failed')}</FormError>
    </>
  )
}
