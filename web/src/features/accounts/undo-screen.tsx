import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../platform/call.ts'
import { problemCode } from '../../platform/problem.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Wordmark } from '../../ui/wordmark.tsx'
import { problemWords } from './problem-words.ts'

/**
 * The /undo-address#TOKEN screen, linked from the email to the previous address. Email scanners open links
 * automatically, so the change is undone only by a button.
 */
export default function UndoScreen() {
  const { t } = useTranslation('accounts')
  const [isDone, setDone] = useState(false)
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-140 flex-col px-4 pb-10 sm:px-6">
      <PageTitle>{t('undo.title')}</PageTitle>
      <header className="flex h-18 flex-none items-center">
        <Wordmark />
      </header>
      <main className="mt-4 grid gap-5 sm:mt-8">{isDone ? <Done /> : <Ask onDone={() => setDone(true)} />}</main>
    </div>
  )
}

function Done() {
  const { t } = useTranslation('accounts')
  return (
    <>
      <div role="status" className="grid gap-5">
        <h1 className="display text-2xl sm:text-[38px]">{t('undo.doneTitle')}</h1>
        <p className="text-ink-2 text-pretty">{t('undo.done')}</p>
      </div>
      <div>
        <LinkButton to="/login">{t('undo.signIn')}</LinkButton>
      </div>
    </>
  )
}

function Ask({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation(['accounts', 'entry'])
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const undo = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await call('POST /api/user/addressChange/undo', { body: { token: window.location.hash.replace('#', '') } })
      onDone()
    } catch (error) {
      const code = problemCode(error)
      setFailure(code === 'not_found' || code === 'email_taken' ? t(`undo.${code}`) : problemWords(error, t))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <h1 className="display text-2xl sm:text-[38px]">{t('undo.title')}</h1>
      <p className="text-ink-2 text-pretty">{t('undo.text')}</p>
      <ul className="grid list-disc gap-1.5 ps-5 text-ink-2 marker:text-ink-3">
        {(['address', 'devices', 'secrets'] as const).map((what) => (
          <li key={what}>{t(`undo.will.${what}`)}</li>
        ))}
      </ul>
      <div>
        <Button size="l" busy={busy} onClick={undo}>
          {t('undo.act')}
        </Button>
      </div>
      <FormError>{failure}</FormError>
    </>
  )
}
