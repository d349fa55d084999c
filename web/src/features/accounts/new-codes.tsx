import { Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../platform/call.ts'
import { copyText } from '../../platform/copy-text.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { type AccessDialog, useAccountMutation } from './access-acts.ts'

export function NewCodes({ onClose, left }: AccessDialog & { left: number }) {
  const { t } = useTranslation('accounts')
  const [codes, setCodes] = useState<readonly string[]>()
  const { run, busy, failure } = useAccountMutation(() => call('POST /api/user/recoveryCodes'), {
    onShown: ({ recoveryCodes }) => setCodes(recoveryCodes),
  })
  const foot = codes ? (
    <Button onClick={onClose}>{t('access.codesSaved')}</Button>
  ) : (
    <>
      <Button variant="quiet" disabled={busy} onClick={onClose}>
        {t('access.cancel')}
      </Button>
      <Button busy={busy} onClick={() => run(undefined)}>
        {t('access.makeCodes')}
      </Button>
    </>
  )
  const why = t(codes ? 'access.codesKeep' : left > 0 ? 'access.codesAgain' : 'access.codesWhy')
  return (
    // Requesting new codes invalidates the old ones, so the dialog can't be closed until the new codes have been shown.
    <Dialog
      open
      foot={foot}
      holds={busy || codes !== undefined}
      onOpenChange={onClose}
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
    copyText(text).then(
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
  // Safari starts reading the file only after the click handler returns.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
