import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePromised } from '../../locales/promised.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { NotProved } from '../accounts/accounts.ts'
import { useRequestErasure } from './data-rights.api.ts'

const points = ['now', 'dates', 'undo', 'then', 'others'] as const

export function DeleteAccount({ heading: Heading }: { heading: 'h2' | 'h3' }) {
  const { t } = useTranslation('data-rights')
  const promised = usePromised()
  const [open, setOpen] = useState(false)
  const erase = useRequestErasure()
  const confirm = async () => {
    // Close this dialog first, because the step-up dialog may open.
    setOpen(false)
    try {
      await erase.mutateAsync()
    } catch (error) {
      if (!(error instanceof NotProved)) toast.error(t('failed'))
    }
  }
  const foot = (
    <>
      <Button variant="quiet" onClick={() => setOpen(false)}>
        {t('delete.keep')}
      </Button>
      <Button variant="danger" onClick={() => void confirm()}>
        {t('delete.act')}
      </Button>
    </>
  )
  return (
    <>
      <Heading className="font-[620]">{t('delete.title')}</Heading>
      <p className="mt-1 mb-4 text-s text-ink-2">{t('delete.text', promised)}</p>
      <Button variant="danger" busy={erase.isPending} onClick={() => setOpen(true)}>
        {t('delete.act')}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={t('delete.ask')} foot={foot}>
        <ul className="grid list-disc gap-3 ps-5 marker:text-ink-3">
          {points.map((point) => (
            <li key={point}>{t(`delete.points.${point}`, promised)}</li>
          ))}
        </ul>
      </Dialog>
    </>
  )
}
