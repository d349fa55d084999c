import { useTranslation } from 'react-i18next'
import { Extra } from '../../../ui/boundary.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'

const EmojiPicker = lazily(() => import('../emoji/emoji-picker.tsx'))

interface EmojiDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  onChoose: (emoji: string) => void
}

export function EmojiDialog({ open, onOpenChange, onChoose }: EmojiDialogProps) {
  const { t } = useTranslation('thread')
  const choose = (emoji: string) => {
    onChoose(emoji)
    onOpenChange(false)
  }
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('emoji.title')}>
      <div className="-mx-2 h-[min(408px,64dvh)]">
        <Extra>
          <EmojiPicker onChoose={choose} />
        </Extra>
      </div>
    </Dialog>
  )
}
