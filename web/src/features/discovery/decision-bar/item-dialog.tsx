import type { LikedItem } from '@duet/contract/likes.ts'
import { limits } from '@duet/contract/limits.ts'
import type { Profile } from '@duet/contract/profiles.ts'
import { excessOf } from '@duet/contract/written-text.ts'
import { Heart } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/form/text-area.tsx'
import DialogPanel from '../../../ui/overlay/dialog-panel.tsx'
import { Photograph } from '../../../ui/photo/photograph.tsx'

type Person = Pick<Profile, 'name' | 'photos' | 'prompts'>

interface ItemDialogProps {
  user: Person
  /** Null for a like of the person as a whole. */
  item: LikedItem | null
  onClose: () => void
  /** Returns false if the like can't be sent now; the dialog then keeps the comment. */
  onLike: (comment: string) => boolean
}

export default function ItemDialog({ user, item, onClose, onLike }: ItemDialogProps) {
  const { t } = useTranslation('discovery')
  const [comment, setComment] = useState('')
  const like = () => {
    if (onLike(comment)) onClose()
  }
  const title = { photo: 'item.photoTitle', prompt: 'item.answerTitle', person: 'item.personTitle' } as const
  const foot = (
    <Button
      icon={<Heart aria-hidden="true" fill="currentColor" stroke="none" />}
      disabled={excessOf(comment, limits.commentLength) > 0}
      onClick={like}
    >
      {t('item.act')}
    </Button>
  )
  return (
    <DialogPanel open onOpenChange={onClose} title={t(title[item?.kind ?? 'person'], user)} foot={foot}>
      <div className="grid gap-5">
        <LikedThing user={user} item={item} />
        <TextArea
          label={t('item.comment')}
          hint={t('item.hint', user)}
          maxLength={limits.commentLength}
          value={comment}
          autoFocus
          onChange={({ target }) => setComment(target.value)}
        />
      </div>
    </DialogPanel>
  )
}

function LikedThing({ user, item }: { user: Person; item: LikedItem | null }) {
  const { t } = useTranslation('profiles')
  if (!item) return null
  if (item.kind === 'photo') {
    const photo = user.photos.find(({ fileName }) => fileName === item.fileName)
    return photo ? (
      <div className="mx-auto aspect-3/4 w-45 overflow-hidden rounded-l">
        <Photograph photo={photo} sizes="180px" fallbackAlt={user.name} />
      </div>
    ) : null
  }
  const answer = user.prompts.find(({ prompt }) => prompt === item.prompt)?.answer
  return (
    <blockquote className="rounded-l bg-sunken px-5 py-4">
      <p className="text-s font-[540] text-ink-2">{t(`prompts.${item.prompt}`)}</p>
      <p dir="auto" className="mt-1 font-display text-xl leading-[1.28] wrap-anywhere">
        {answer}
      </p>
    </blockquote>
  )
}
