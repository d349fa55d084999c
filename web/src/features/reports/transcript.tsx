import type { AttachmentEvidence, MessageEvidence } from '@duet/contract/reports.ts'
import { useTranslation } from 'react-i18next'
import { regional } from '../../platform/socket/region.ts'
import { classNames } from '../../ui/class-names.ts'
import { BlurredPhoto } from './blurred-photo.tsx'

interface TranscriptProps {
  messages: MessageEvidence[]
  seq: number | undefined
}

/**
 * The reported person's messages are at the start side, the reporter's at the end side, and the reported message is
 * highlighted.
 */
export function Transcript({ messages, seq }: TranscriptProps) {
  const { t } = useTranslation('reports')
  return (
    <ol aria-label={t('admin.messages')} className="grid gap-2">
      {messages.map((message) => (
        <Said key={message.seq} message={message} reported={message.seq === seq} />
      ))}
    </ol>
  )
}

export const shortTime = (at: string, language: string) =>
  new Intl.DateTimeFormat(regional(language), { dateStyle: 'short', timeStyle: 'short' }).format(new Date(at))

function Said({ message, reported }: { message: MessageEvidence; reported: boolean }) {
  const { t, i18n } = useTranslation('reports')
  const { by, text, sentAt, editedAt, deletedAt, attachment, earlier = [] } = message
  const time = shortTime(sentAt, i18n.language)
  const notes = [t(`admin.by.${by}`), time, editedAt && t('admin.edited'), reported && t('admin.thisOne')]
  return (
    <li className={classNames('max-w-[85%]', by === 'reporter' && 'justify-self-end text-end')}>
      <div
        className={classNames(
          'inline-block rounded-l px-4 py-2.5 text-start',
          by === 'reporter' ? 'bg-line' : 'bg-surface',
          reported && 'outline-2 outline-bad',
        )}
      >
        {earlier.map((version) => (
          <Earlier key={version.until} {...version} />
        ))}
        {deletedAt && <p className="text-ink-2 italic">{t('admin.deleted')}</p>}
        {attachment && <Carried attachment={attachment} />}
        {text && (
          <p dir="auto" className="break-words whitespace-pre-line">
            {text}
          </p>
        )}
      </div>
      <p className="mt-1 px-1 text-xs text-ink-2">{notes.filter(Boolean).join(' · ')}</p>
    </li>
  )
}

function Earlier({ text, until }: { text: string; until: string }) {
  const { t, i18n } = useTranslation('reports')
  return (
    <div className="mb-2 border-b border-line pb-2">
      <p className="text-xs text-ink-2">{t('admin.until', { time: shortTime(until, i18n.language) })}</p>
      <p dir="auto" className="break-words whitespace-pre-line">
        {text}
      </p>
    </div>
  )
}

function Carried({ attachment }: { attachment: AttachmentEvidence }) {
  const { t } = useTranslation('reports')
  if (attachment.kind === 'photo')
    return (
      <div className="my-1 aspect-3/4 w-40">
        <BlurredPhoto photo={attachment} label={t('admin.lookAttached')} />
      </div>
    )
  if (!attachment.url) return <p className="text-ink-2 italic">{t('admin.noFile')}</p>
  return (
    // biome-ignore lint/a11y/useMediaCaption: there is no transcript
    <audio controls preload="none" src={attachment.url} aria-label={t('admin.voice')} className="my-1 max-w-full" />
  )
}
