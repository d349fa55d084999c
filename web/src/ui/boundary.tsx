import i18next from 'i18next'
import { Component, type ErrorInfo, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { NotLoaded } from '../platform/not-loaded.ts'
import { toast } from '../platform/toast.ts'
import { Button } from './button.tsx'

interface BoundaryProps {
  children: ReactNode
  instead?: ((error: unknown, tryAgain: () => void) => ReactNode) | undefined
  /** When this value changes, children that threw are rendered again. */
  at?: unknown
  onFail?: (() => void) | undefined
}

interface State {
  failure: { error: unknown } | undefined
  at: unknown
}

/** A class component, because React has no other kind of error boundary. */
export class Boundary extends Component<BoundaryProps, State> {
  override state: State = { failure: undefined, at: this.props.at }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failure: { error } }
  }

  static getDerivedStateFromProps({ at }: BoundaryProps, state: State): State | null {
    return at === state.at ? null : { at, failure: undefined }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    console.error(error, componentStack)
    if (error instanceof NotLoaded) error.forget()
    this.props.onFail?.()
  }

  override render(): ReactNode {
    const { failure } = this.state
    if (!failure) return this.props.children
    return this.props.instead?.(failure.error, () => this.setState({ failure: undefined }))
  }
}

const reload = () => window.location.reload()

interface ExtraProps {
  children: ReactNode
  fallback?: ReactNode
  at?: unknown
  /** Set by overlays, to close after a toast has reported that loading failed. */
  onFail?: () => void
}

/**
 * Wraps an optional part of a screen, such as a dialog, so that the screen survives if the part's code or texts fail to
 * load. Without `onFail`, an error with a retry button is shown in place of the part.
 */
export function Extra({ children, fallback, at, onFail }: ExtraProps) {
  const fail =
    onFail &&
    (() => {
      toast.error(i18next.t('ui:error.opening'), { act: { label: i18next.t('common:reload'), onAct: reload } })
      onFail()
    })
  return (
    <Boundary at={at} onFail={fail} instead={onFail ? undefined : (_, tryAgain) => <Missing tryAgain={tryAgain} />}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </Boundary>
  )
}

function Missing({ tryAgain }: { tryAgain: () => void }) {
  const { t } = useTranslation('ui')
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 p-3 text-s text-ink-2">
      {t('error.general')}
      <Button size="s" variant="text" onClick={tryAgain}>
        {t('retry')}
      </Button>
      <Button size="s" variant="text" onClick={reload}>
        {t('common:reload')}
      </Button>
    </div>
  )
}
