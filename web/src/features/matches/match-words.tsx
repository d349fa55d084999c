import { useTranslation } from 'react-i18next'
import { classNames } from '../../ui/class-names.ts'
import { Photograph } from '../../ui/photo/photograph.tsx'
import { Folded } from '../privacy/privacy.tsx'
import type { BothLikes, SaidWithLike } from './match-news.ts'

interface MatchWordsProps extends BothLikes {
  user: { id: string; name: string }
}

/** The other person's comment comes first, because it invites a reply. */
export function MatchWords({ user, mine, theirs }: MatchWordsProps) {
  return (
    <div className="grid gap-4">
      {theirs && <Said side="theirs" said={theirs} user={user} />}
      {mine && <Said side="mine" said={mine} user={user} />}
    </div>
  )
}

interface SaidProps {
  side: keyof BothLikes
  said: SaidWithLike
  user: MatchWordsProps['user']
}

function Said({ side, said: { item, comment }, user }: SaidProps) {
  const { t } = useTranslation('matches')
  const mine = side === 'mine'
  return (
    <figure
      className={classNames(
        'grid max-w-[88%] gap-2',
        mine ? 'justify-items-end justify-self-end' : 'justify-self-start',
      )}
    >
      <figcaption className="text-s text-ink-2">
        {t(`said.${side}.${item?.kind ?? 'words'}`, { name: user.name })}
      </figcaption>
      {item?.kind === 'prompt' && (
        <blockquote
          dir="auto"
          className="line-clamp-3 border-s-3 border-accent ps-3 text-start font-display text-l leading-[1.28] wrap-anywhere"
        >
          {item.answer}
        </blockquote>
      )}
      {item?.kind === 'photo' && item.photo && (
        <span className="block aspect-3/4 w-18 overflow-hidden rounded-m">
          <Photograph photo={item.photo} sizes="72px" />
        </span>
      )}
      {comment && (
        <p
          dir="auto"
          className={classNames(
            'max-h-32 w-fit overflow-y-auto rounded-l px-4 py-2.5 text-start text-m/[1.4] whitespace-pre-line wrap-anywhere',
            mine ? 'rounded-ee-[6px] bg-accent text-on-accent' : 'rounded-es-[6px] bg-sunken',
          )}
        >
          {mine ? (
            comment
          ) : (
            <Folded id={`like ${user.id}`} text={comment}>
              {comment}
            </Folded>
          )}
        </p>
      )}
    </figure>
  )
}
