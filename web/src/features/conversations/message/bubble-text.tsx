import { useTranslation } from 'react-i18next'
import { useThread } from '../thread-acts.ts'
import { hasLink, textPieces } from './links.ts'

/** Links are clickable only once both people have written several messages. */
export function BubbleText({ text }: { text: string }) {
  const { linksLive } = useThread()
  if (!linksLive) return text
  return textPieces(text).map(({ at, text: words, href }) =>
    href ? (
      <a
        key={at}
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        className="underline decoration-1 underline-offset-3 focus-visible:outline-current"
      >
        {words}
      </a>
    ) : (
      words
    ),
  )
}

export function InertLinkNote({ text }: { text: string }) {
  const { t } = useTranslation('thread')
  const { linksLive } = useThread()
  if (linksLive || !hasLink(text)) return null
  return <p className="max-w-[78%] px-1 pt-1 text-xs text-ink-2">{t('inertLink')}</p>
}
