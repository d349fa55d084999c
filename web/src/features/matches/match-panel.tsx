import { limits } from '@duet/contract/limits.ts'
import { excessOf, isVisible } from '@duet/contract/written-text.ts'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { permitted } from '../../platform/permitted.ts'
import { useSession } from '../../platform/session.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useBackCloses } from '../../ui/overlay/use-back-closes.ts'
import { useLeave } from '../../ui/overlay/use-leave.tsx'
import { useOwnFace } from '../accounts/accounts.ts'
import { type ShownMatch, useMatchNews } from './match-news.ts'
import { MatchRings } from './match-rings.tsx'
import { MatchWords } from './match-words.tsx'
import { openerTexts } from './openers.ts'

interface MatchPanelProps {
  match: ShownMatch
  /** Resolves to false if the message couldn't be sent. */
  onSend: (text: string) => Promise<boolean>
  onClose: () => void
}

// Two short pulses: milliseconds of vibration, pause and vibration.
const beats = [18, 70, 28]

export default function MatchPanel({ match, onSend, onClose }: MatchPanelProps) {
  const { t } = useTranslation(['matches', 'ui'])
  const panel = useRef<HTMLDivElement>(null)
  const giveBack = useFocusBefore()
  const me = useSession((state) => state.user)
  const ownFace = useOwnFace()
  const { user } = match
  const title = t('title', { name: user.name })
  const { leave, watch, ask } = useLeave({}, onClose)
  useBackCloses(true, leave)
  useEffect(() => {
    useMatchNews.setState({ said: title })
    return () => useMatchNews.setState({ said: '' })
  }, [title])
  useEffect(() => {
    permitted(() => navigator.vibrate?.(beats))
  }, [])
  return (
    <Radix.Root open onOpenChange={leave}>
      <Radix.Portal>
        <Radix.Content
          ref={panel}
          data-match={match.certain ? 'certain' : 'expected'}
          aria-describedby={undefined}
          // Focus the panel rather than its text field, because an on-screen keyboard would cover the two portraits.
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            panel.current?.focus()
          }}
          onCloseAutoFocus={giveBack}
          onInput={watch}
          className="fixed inset-0 z-40 overflow-y-auto overscroll-contain bg-paper text-ink focus:outline-none"
        >
          <div className="mx-auto flex min-h-full max-w-140 flex-col px-5 pt-[calc(env(safe-area-inset-top)+56px)] short:pt-5 sm:justify-center sm:px-8 sm:pt-10">
            <MatchRings me={{ name: me?.name ?? '', photo: ownFace }} them={user} />
            <Radix.Title className="sr-only">{title}</Radix.Title>
            <div className="mt-5 animate-later text-center sm:mt-7">
              <p className="text-[15px] font-[620] text-accent">{t('eyebrow')}</p>
              <p className="display mt-1 text-[34px] wrap-anywhere sm:text-[52px]">
                {t('names', { me: me?.name ?? '', name: user.name })}
              </p>
            </div>
            <div className="mt-6 flex animate-later flex-col max-sm:flex-1 sm:mt-8">
              {(match.mine || match.theirs) && <MatchWords {...match} />}
              <FirstMessage {...{ match, onSend, onClose }} onLeave={leave} />
            </div>
          </div>
          <div className="sticky bottom-0 z-1 bg-paper">{ask}</div>
          <Radix.Close asChild>
            <IconButton
              label={t('ui:close')}
              icon={<X aria-hidden="true" />}
              className="fixed! end-3 top-[calc(env(safe-area-inset-top)+12px)] bg-paper sm:end-5 sm:top-5"
            />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The panel opens without a trigger, so this records the focused element. The returned function restores the focus. */
function useFocusBefore(): () => void {
  const before = useRef<Element>(null)
  useLayoutEffect(() => {
    before.current = document.activeElement
  }, [])
  return () => {
    if (before.current instanceof HTMLElement) before.current.focus()
  }
}

function FirstMessage({ match, onSend, onClose, onLeave }: MatchPanelProps & { onLeave: () => unknown }) {
  const { t } = useTranslation('matches')
  const [text, setText] = useState('')
  const { state, send } = useSending(onSend, onClose)
  const { user, mine, theirs, certain } = match
  const isReply = Boolean(theirs?.comment ?? mine?.comment)
  return (
    <>
      {!isReply && <Openers match={match} text={text} onPick={setText} />}
      <div className="sticky bottom-0 mt-auto bg-paper pt-4 pb-[calc(env(safe-area-inset-bottom)+16px)] sm:pb-8">
        <TextArea
          label={t(isReply ? 'reply' : 'firstMessage', { name: user.name })}
          rows={1}
          maxLength={limits.messageLength}
          className="max-h-40"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <FormError>{state === 'failed' && t('sendFailed')}</FormError>
        <div className="mt-3 flex gap-3">
          <Button variant="quiet" className="flex-1" onClick={onLeave}>
            {t('keepBrowsing')}
          </Button>
          <Button
            className="flex-1"
            busy={state === 'sending'}
            disabled={!certain || !isVisible(text) || excessOf(text, limits.messageLength) > 0}
            onClick={() => void send(text)}
          >
            {t('send')}
          </Button>
        </div>
      </div>
    </>
  )
}

function useSending(onSend: MatchPanelProps['onSend'], onClose: () => void) {
  const [state, setState] = useState<'writing' | 'sending' | 'failed'>('writing')
  const send = async (text: string) => {
    setState('sending')
    if (await onSend(text.trim())) onClose()
    else setState('failed')
  }
  return { state, send }
}

interface OpenersProps {
  match: ShownMatch
  text: string
  onPick: (text: string) => void
}

function Openers({ match: { openers, user }, text, onPick }: OpenersProps) {
  const { t, i18n } = useTranslation(['matches', 'catalogue'])
  const texts = openerTexts(openers, user.name, t, i18n.language)
  return (
    // The minimum height keeps the layout stable while the openers load.
    <section aria-label={t('openers')} className="mt-1 min-h-47 not-first:mt-6">
      {texts.length > 0 && (
        <>
          <p className="mb-2 text-s font-[540] text-ink-2">{t('openersLead')}</p>
          <ul className="grid animate-fade gap-2">
            {texts.map((words) => (
              <li key={words}>
                <button
                  type="button"
                  aria-pressed={text === words}
                  onClick={() => onPick(words)}
                  dir="auto"
                  className="w-full rounded-m bg-sunken px-4 py-2.5 text-start text-[15px]/[1.4] transition wrap-anywhere hover:bg-line aria-pressed:bg-accent-soft aria-pressed:text-accent"
                >
                  {words}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
