import { Copy, Printer } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../../platform/copy-text.ts'
import { toast } from '../../../platform/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Checkbox } from '../../../ui/form/checkbox.tsx'

export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { t } = useTranslation('moderation')
  const [isKept, setKept] = useState(false)
  const copy = () =>
    copyText(codes.join('\n')).then(
      () => toast.success(t('factor.copied')),
      () => toast.error(t('factor.notCopied')),
    )
  return (
    <Card className="grid gap-5">
      <div>
        <h2 className="display text-xl">{t('factor.codesTitle')}</h2>
        <p className="mt-2 text-ink-2 text-pretty">{t('factor.codesLead')}</p>
      </div>
      <ol
        dir="ltr"
        aria-label={t('factor.codesTitle')}
        className="grid gap-x-8 gap-y-2 rounded-m bg-sunken p-5 font-[620] tabular-nums sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3 print:hidden">
        <Button variant="quiet" icon={<Copy aria-hidden="true" />} onClick={() => void copy()}>
          {t('factor.copy')}
        </Button>
        <Button variant="quiet" icon={<Printer aria-hidden="true" />} onClick={() => window.print()}>
          {t('factor.print')}
        </Button>
      </div>
      <Checkbox label={t('factor.kept')} checked={isKept} onChange={(event) => setKept(event.target.checked)} />
      <Button className="justify-self-start" disabled={!isKept} onClick={onKept}>
        {t('factor.goOn')}
      </Button>
    </Card>
  )
}
