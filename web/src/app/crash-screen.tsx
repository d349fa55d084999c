import { Component, type ErrorInfo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'

interface State {
  crashed: boolean
}

/** Keeps a screen that throws from taking the app with it. A class, because React knows no other error boundary. */
export class CrashBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { crashed: false }

  static getDerivedStateFromError(): State {
    return { crashed: true }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    console.error(error, componentStack)
  }

  override render(): ReactNode {
    return this.state.crashed ? <CrashScreen /> : this.props.children
  }
}

function CrashScreen() {
  const { t } = useTranslation('common')
  return (
    <div role="alert" className="grid min-h-80 place-content-center justify-items-center gap-5 p-6 text-center">
      <p className="display text-2xl">{t('crash')}</p>
      <Button onClick={() => window.location.reload()}>{t('reload')}</Button>
    </div>
  )
}
