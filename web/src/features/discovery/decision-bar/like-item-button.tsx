import { MessageCircleHeart } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { IconButton } from '../../../ui/icon-button.tsx'

interface LikeItemButtonProps {
  kind: 'photo' | 'prompt'
  onLike: () => void
}

const looks = {
  photo: 'end-5 bottom-5.5 bg-surface shadow-one',
  prompt: 'end-3.5 bottom-3.5 bg-accent-soft',
}

export function LikeItemButton({ kind, onLike }: LikeItemButtonProps) {
  const { t } = useTranslation('discovery')
  const isPhoto = kind === 'photo'
  return (
    <IconButton
      label={t(isPhoto ? 'item.likePhoto' : 'item.likeAnswer')}
      title={t(isPhoto ? 'item.photoTip' : 'item.answerTip')}
      aria-haspopup="dialog"
      icon={<MessageCircleHeart aria-hidden="true" />}
      onClick={onLike}
      className={classNames('absolute! text-accent! hover:bg-accent hover:text-on-accent!', looks[kind])}
    />
  )
}
