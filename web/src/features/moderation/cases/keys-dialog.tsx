import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { caseKeys } from './keys.ts'

interface KeysDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function KeysDialog({ open, onOpenChange }: KeysDialogProps) {
  const { t } = useTranslation('moderation')
  return (
    <Dialog {...{ open, onOpenChange }} title={t('keys.title')} description={t('keys.hint')}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2.5">
        {Object.entries(caseKeys).map(([act, key]) => (
          <div key={act} className="contents">
            <dt>
              <kbd className="inline-block min-w-8 rounded-[6px] border border-line bg-sunken px-2 py-0.5 text-center font-text text-s font-semibold">
                {key}
              </kbd>
            </dt>
            <dd>{t(`keys.${act}`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
