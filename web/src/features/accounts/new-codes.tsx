import { Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../platform/call.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { type AccessDialog, useAccessAct } from './access-acts.ts'

/** Makes ten recovery codes and shows them, this once. */
export function NewCodes({ open, onClose, left }: AccessDialog & { left: number }) {
  const { t } = useTranslation('accounts')
  const [codes, setCodes] = useState<readonly string[]>()
  const { run, busy, failure, reset } = useAccessAct(() => call('POST /api/user/recoveryCodes'), {
    onDone: ({ recoveryCodes }) => setCodes(recoveryCodes),
  })
  const leave = () => {
    onClose()
    setCodes(undefined)
    reset()
  }
  const foot = codes ? (
    <Button onClick={leave}>{t('access.codesSaved')}</Button>
  ) : (
    <>
      <Button variant="quiet" onClick={leave}>
        {t('access.cancel')}
      </Button>
      <Button busy={busy} onClick={() => run(undefined)}>
        {t('access.makeCodes')}
      </Button>
    </>
  )
  const why = t(codes ? 'access.codesKeep' : left > 0 ? 'access.codesAgain' : 'access.codesWhy')
  return (
    <Dialog
      {...{ open, foot }}
      onOpenChange={(isOpen) => !isOpen && leave()}
      title={t('access.codes')}
      description={why}
    >
      {codes ? <Codes codes={codes} /> : <FormError>{failure}</FormError>}
    </Dialog>
  )
}

function Codes({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation('accounts')
  const text = codes.join('\n')
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast.success(t('access.codesCopied')),
      () => toast.error(t('access.notCopied')),
    )
  return (
    <>
      <ol
        dir="ltr"
        aria-label={t('access.codes')}
        className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-m bg-sunken px-5 py-4 font-mono text-[15px] tabular-nums min-[400px]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="quiet" size="s" icon={<Copy aria-hidden="true" className="size-4.5!" />} onClick={copy}>
          {t('access.copy')}
        </Button>
        <Button
          variant="quiet"
          size="s"
          icon={<Download aria-hidden="true" className="size-4.5!" />}
          onClick={() => download(text)}
        >
          {t('access.download')}
        </Button>
      </div>
    </>
  )
}

function download(text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
  link.download = 'duet-recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(link.href)
}
