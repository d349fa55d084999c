import { Ban, Copy, Flag, type LucideIcon, Pencil, Reply, SmilePlus, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useTranslation } from 'react-i18next'
import SpotMenu from '../spot-menu.tsx'
import type { Spot } from '../thread-acts.ts'
import { quickEmoji } from './emoji.ts'
import type { MessageAct } from './message-rules.ts'

interface MessageMenuProps {
  spot: Spot
  acts: readonly MessageAct[]
  mine: string | undefined
  onAct: (act: MessageAct) => void
  onReact: (emoji: string | null) => void
  onClose: () => void
}

const icons: Record<Exclude<MessageAct, 'emoji'>, LucideIcon> = {
  reply: Reply,
  copy: Copy,
  edit: Pencil,
  delete: Trash2,
  report: Flag,
  block: Ban,
}

export default function MessageMenu({ acts, mine, onAct, onReact, ...menu }: MessageMenuProps) {
  const { t } = useTranslation('thread')
  const items = acts.flatMap((act) => {
    if (act === 'emoji') return []
    const Icon = icons[act]
    return {
      label: t(`act.${act}`),
      icon: <Icon aria-hidden="true" className={act === 'reply' ? 'mirror' : undefined} />,
      danger: act === 'delete' || act === 'block',
      onSelect: () => onAct(act),
    }
  })
  const head = acts.includes('emoji') && <EmojiRow mine={mine} onReact={onReact} onMore={() => onAct('emoji')} />
  return <SpotMenu {...menu} label={t('messageActs')} items={items} head={head} />
}

interface EmojiRowProps {
  mine: string | undefined
  onReact: (emoji: string | null) => void
  onMore: () => void
}

const round =
  'grid size-11 cursor-pointer place-items-center rounded-full text-xl/none outline-none transition data-highlighted:bg-sunken'

function EmojiRow({ mine, onReact, onMore }: EmojiRowProps) {
  const { t } = useTranslation('thread')
  return (
    <DropdownMenu.Group aria-label={t('act.emoji')} className="mb-1 flex border-b border-line pb-1.5">
      {quickEmoji.map((emoji) => (
        <DropdownMenu.CheckboxItem
          key={emoji}
          checked={emoji === mine}
          aria-label={t('reaction.with', { emoji })}
          onSelect={() => onReact(emoji === mine ? null : emoji)}
          className={`${round} data-highlighted:scale-110 data-[state=checked]:bg-accent-soft`}
        >
          {emoji}
        </DropdownMenu.CheckboxItem>
      ))}
      <DropdownMenu.Item aria-label={t('reaction.other')} onSelect={onMore} className={`${round} text-ink-2`}>
        <SmilePlus aria-hidden="true" />
      </DropdownMenu.Item>
    </DropdownMenu.Group>
  )
}
