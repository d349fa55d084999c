import type { Like } from '@duet/contract/likes.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../ui/class-names.ts'
import { Photograph } from '../../ui/photo/photograph.tsx'
import { Folded } from '../privacy/privacy.tsx'

const longComment = 90

interface LikedWithProps {
  like: Like
  side: 'mine' | 'theirs'
  className?: string
}

export function LikedWith({ like: { user, item, comment }, side, className }: LikedWithProps) {
  const { t } = useTranslation('likes')
  if (!item && !comment) return null
  return (
    <div className={classNames('grid gap-2.5', className)}>
      {item && (
        <div className="flex items-start gap-2.5">
          {item.kind === 'photo' && item.photo && (
            <span className="block size-11 flex-none overflow-hidden rounded-s">
              <Photograph photo={item.photo} sizes="44px" fallbackAlt={t(`liked.${side}.photo`)} />
            </span>
          )}
          <p className="min-w-0 flex-1 text-[13px]/[1.4] text-ink-2">
            {t(`liked.${side}.${item.kind}`)}
            {item.kind === 'prompt' && (
              <q
                dir="auto"
                className="mt-0.5 line-clamp-3 font-display text-m/[1.3] text-ink wrap-anywhere before:content-none after:content-none"
              >
                {item.answer}
              </q>
            )}
          </p>
        </div>
      )}
      {comment && <Comment id={user.id} text={comment} mine={side === 'theirs'} />}
    </div>
  )
}

function Comment({ id, text, mine }: { id: string; text: string; mine: boolean }) {
  const { t } = useTranslation('likes')
  const [open, setOpen] = useState(false)
  const isLong = text.length > longComment
  return (
    <div className="w-fit max-w-full rounded-m rounded-es-[6px] bg-sunken px-3 py-2 text-[15px]/[1.4]">
      <p dir="auto" className={classNames('wrap-anywhere whitespace-pre-line', isLong && !open && 'line-clamp-4')}>
        {mine && <span className="sr-only">{t('youWrote')} </span>}
        {mine ? (
          text
        ) : (
          <Folded id={`like ${id}`} text={text}>
            {text}
          </Folded>
        )}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="relative mt-1 text-s font-[580] text-accent after:absolute after:-inset-x-3 after:-inset-y-3"
        >
          {t(open ? 'less' : 'more')}
        </button>
      )}
    </div>
  )
}
