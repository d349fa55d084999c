import type { Export } from '@duet/contract/data-rights.ts'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { problemCode } from '../../platform/problem.ts'
import { regional } from '../../platform/socket/region.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { NotProved } from '../accounts/accounts.ts'
import { useExport, useExportAddress, useRequestExport } from './data-rights.api.ts'

export function ExportCard({ heading: Heading = 'h3' }: { heading?: 'h2' | 'h3' }) {
  const { t } = useTranslation('data-rights')
  const { data, isError, isFetching, refetch } = useExport()
  return (
    <>
      <Heading className="font-[620]">{t('export.title')}</Heading>
      <p className="mt-1 text-s text-ink-2">{t('export.text')}</p>
      <div className="mt-4">
        {data && <State told={data} />}
        {!data && isError && <ErrorState busy={isFetching} onRetry={() => void refetch()} />}
        {!data && !isError && <Skeleton className="h-11" />}
      </div>
    </>
  )
}

function State({ told }: { told: Export }) {
  const { t } = useTranslation('data-rights')
  if (told.state === 'working') return <Working progress={told.progress} />
  if (told.state === 'ready') return <Ready told={told} />
  return (
    <>
      {told.state === 'failed' && (
        <p role="alert" className="mb-3 text-s font-medium text-bad">
          {t('export.failed')}
        </p>
      )}
      <Ask />
    </>
  )
}

function Ask() {
  const { t } = useTranslation('data-rights')
  const ask = useRequestExport()
  const refuse = (error: unknown) => {
    if (error instanceof NotProved) return
    toast.error(t(problemCode(error) === 'rate_limited' ? 'export.onceADay' : 'failed'))
  }
  return (
    <Button variant="quiet" busy={ask.isPending} onClick={() => ask.mutate(undefined, { onError: refuse })}>
      {t('export.ask')}
    </Button>
  )
}

function Working({ progress }: { progress: number }) {
  const { t } = useTranslation('data-rights')
  const percent = Math.round(progress * 100)
  return (
    <div role="status">
      <p className="mb-2 text-s text-ink-2">{t('export.working')}</p>
      <Progress label={t('export.progress')} value={Math.max(3, percent)} />
    </div>
  )
}

function Ready({ told }: { told: Export }) {
  const { t, i18n } = useTranslation('data-rights')
  const size = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 }).format(
    Math.max(0.1, (told.bytes ?? 0) / 1_000_000),
  )
  const until = told.expiresAt
    ? new Date(told.expiresAt).toLocaleString(regional(i18n.language), {
        weekday: 'long',
        hour: 'numeric',
        minute: '2-digit',
      })
    : ''
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {told.url ? <Fetch url={told.url} /> : <ProveAndFetch />}
      <span className="text-s text-ink-2">{t('export.until', { size, until })}</span>
    </div>
  )
}

function Fetch({ url }: { url: string }) {
  const { t } = useTranslation('data-rights')
  return (
    <a
      href={url}
      download="duet-data.zip"
      className="inline-flex h-11 items-center gap-2 rounded-full bg-accent px-5 text-[15px] font-[620] text-on-accent transition hover:bg-accent-hover"
    >
      <Download aria-hidden="true" className="size-4.5" />
      {t('export.fetch')}
    </a>
  )
}

/** The server returns the download URL only after a fresh proof of identity. */
function ProveAndFetch() {
  const { t } = useTranslation('data-rights')
  const address = useExportAddress()
  const refuse = (error: unknown) => {
    if (!(error instanceof NotProved)) toast.error(t('failed'))
  }
  return (
    <Button busy={address.isPending} onClick={() => address.mutate(undefined, { onError: refuse })}>
      <Download aria-hidden="true" className="size-4.5" />
      {t('export.prove')}
    </Button>
  )
}
