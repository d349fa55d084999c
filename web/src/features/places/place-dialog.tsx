import { useTranslation } from 'react-i18next'
import { toast } from '../../platform/toast.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import PlacePicker from './place-picker.tsx'

export interface PlaceDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  area: string | null
}

export default function ChoosingPlace({ open, onOpenChange, area }: PlaceDialogProps) {
  const { t } = useTranslation('places')
  const chosen = (name: string) => {
    // Others see a later change of location only after a delay, so that nobody can be tracked.
    toast.success(name === area ? t('savedLater') : t('saved', { area: name }))
    onOpenChange(false)
  }
  return (
    <Dialog {...{ open, onOpenChange }} title={t('title')}>
      <PlacePicker area={area} onChosen={chosen} />
    </Dialog>
  )
}
