import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NotLoaded } from '../platform/not-loaded.ts'
import { Boundary } from '../ui/boundary.tsx'
import { Button } from '../ui/button.tsx'

/** When `at` changes, a screen that threw is rendered again. */
export function CrashBoundary({ children, at }: { children: ReactNode; at?: string }) {
  return (
    <Boundary at={at} instead={(error) => <CrashScreen isMissing={error instanceof NotLoaded} />}>
      {children}
    </Boundary>
  )
}

function CrashScreen({ isMissing }: { isMissing: boolean }) {
  const { t } = useTranslation('common')
  return (
    <div role="alert" className="grid min-h-80 place-content-center justify-items-center gap-5 p-6 text-center">
      <p className="display text-2xl text-balance">{isMissing ? t('ui:error.general') : t('crash')}</p>
      <Button onClick={() => window.location.reload()}>{t('reload')}</Button>
    </div>
  )
}
