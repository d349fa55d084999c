import { Heart } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/card.tsx'
import { useAdmirers } from './admirers.ts'
import { LikedWith } from './liked-with.tsx'

/** Renders nothing if this person doesn't like me or I have already answered. */
export function TheirLike({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('likes')
  const like = useAdmirers().get(id)
  if (!like) return null
  return (
    <Card className="grid gap-3">
      <h2 className="flex items-center gap-2 font-[620] text-accent">
        <Heart aria-hidden="true" className="size-4.5! flex-none fill-current" />
        <span className="min-w-0 wrap-anywhere">{t('likesYou', { name })}</span>
      </h2>
      <LikedWith like={like} side="mine" />
    </Card>
  )
}
