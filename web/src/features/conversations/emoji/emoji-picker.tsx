import { useQuery } from '@tanstack/react-query'
import {
  Clock,
  Flag,
  Hand,
  Lightbulb,
  type LucideIcon,
  PawPrint,
  Plane,
  Search,
  Shapes,
  Smile,
  Trophy,
  Utensils,
} from 'lucide-react'
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { onGlass } from '../composer/on-glass.ts'
import {
  type EmojiCatalogue,
  type EmojiEntry,
  type EmojiGroup,
  emojiGroups,
  findEmoji,
  loadEmoji,
} from './emoji-catalogue.ts'
import { EmojiGrid } from './emoji-grid.tsx'
import { keepRecentEmoji, keepSkinTone, readKeptEmoji } from './kept-emoji.ts'
import { SkinTones } from './skin-tones.tsx'

interface EmojiPickerProps {
  onChoose: (emoji: string, more: boolean) => void
}

type Part = EmojiGroup | 'recent'

const icons: Record<Part, LucideIcon> = {
  recent: Clock,
  smileys: Smile,
  people: Hand,
  animals: PawPrint,
  food: Utensils,
  travel: Plane,
  activities: Trophy,
  objects: Lightbulb,
  symbols: Shapes,
  flags: Flag,
}

function useEmoji() {
  const { i18n } = useTranslation()
  return useQuery({
    queryKey: ['emoji', i18n.language],
    queryFn: () => loadEmoji(i18n.language),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export default function EmojiPicker({ onChoose }: EmojiPickerProps) {
  const { t } = useTranslation('thread')
  const { data, isError, isFetching, refetch } = useEmoji()
  // Read only when the picker opens, so that choosing an emoji doesn't reorder the recent ones.
  const [kept] = useState(readKeptEmoji)
  const [tone, setTone] = useState(kept.tone)
  const [tonesOpen, setTonesOpen] = useState<boolean>()
  const [text, setText] = useState('')
  const [part, setPart] = useState<Part>(kept.recent.length > 0 ? 'recent' : 'smileys')
  const search = useRef<HTMLInputElement>(null)
  const first = useRef<HTMLButtonElement>(null)
  const finding = text.trim() !== ''
  const entries = data ? (finding ? findEmoji(data, text) : entriesOf(data, part, kept.recent)) : []
  const choose = (emoji: string, more: boolean) => {
    keepRecentEmoji(emoji)
    onChoose(emoji, more)
  }
  const onTone = (wanted: number) => {
    keepSkinTone(wanted)
    setTone(wanted)
    setTonesOpen(false)
  }
  return (
    <div className="flex h-full w-full flex-col">
      <div className="flex flex-none items-center gap-1 p-2">
        {!tonesOpen && <SearchEmoji {...{ search, text, first }} isFirst={tonesOpen === undefined} onText={setText} />}
        <SkinTones {...{ tone, onTone }} open={tonesOpen} onOpen={() => setTonesOpen(true)} />
      </div>
      {!finding && <Parts part={part} hasRecent={kept.recent.length > 0} onPart={setPart} />}
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        {!data && isError && (
          <ErrorState text={t('emoji.notLoaded')} busy={isFetching} onRetry={() => void refetch()} />
        )}
        {!data && !isError && <Spinner className="mx-auto mt-16 size-6 text-ink-2" />}
        <p role="status" className="px-4 py-3 text-s text-ink-2 empty:hidden">
          {data && finding && entries.length === 0 && t('emoji.none')}
        </p>
        <EmojiGrid
          // A new key moves the Tab stop back to the first emoji.
          key={finding ? text : part}
          label={finding ? t('emoji.found') : t(`emoji.groups.${part}`)}
          onLeave={() => search.current?.focus()}
          onChoose={choose}
          {...{ entries, tone, first }}
        />
      </div>
    </div>
  )
}

/** Recent emoji are stored with their skin tone. */
function entriesOf({ groups, entries }: EmojiCatalogue, part: Part, recent: readonly string[]): EmojiEntry[] {
  if (part !== 'recent') return groups[part]
  return recent.flatMap((emoji) => {
    const entry = entries.get(emoji)
    return entry ? [{ ...entry, emoji, tones: [] }] : []
  })
}

interface SearchEmojiProps {
  search: RefObject<HTMLInputElement | null>
  first: RefObject<HTMLButtonElement | null>
  text: string
  isFirst: boolean
  onText: (text: string) => void
}

function SearchEmoji({ search, first, text, isFirst, onText }: SearchEmojiProps) {
  const { t } = useTranslation('thread')
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || (event.key !== 'ArrowDown' && event.key !== 'Enter')) return
    event.preventDefault()
    if (event.key === 'ArrowDown') first.current?.focus()
    else if (text.trim()) first.current?.click()
  }
  return (
    <div className="relative flex-1">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute start-3.5 top-1/2 size-4.5! -translate-y-1/2 text-ink-2"
      />
      <input
        ref={search}
        // biome-ignore lint/a11y/noAutofocus: shown only when the person asks for it
        autoFocus={isFirst && !onGlass()}
        type="search"
        aria-label={t('emoji.search')}
        placeholder={t('emoji.search')}
        dir="auto"
        autoComplete="off"
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-11 w-full rounded-full bg-sunken ps-10.5 pe-4 placeholder:text-ink-2 focus-visible:outline-offset-0 [&::-webkit-search-cancel-button]:hidden"
      />
    </div>
  )
}

interface PartsProps {
  part: Part
  hasRecent: boolean
  onPart: (part: Part) => void
}

function Parts({ part, hasRecent, onPart }: PartsProps) {
  const { t } = useTranslation('thread')
  const parts: readonly Part[] = hasRecent ? ['recent', ...emojiGroups] : emojiGroups
  return (
    <nav
      aria-label={t('emoji.parts')}
      className="flex flex-none overflow-x-auto border-b border-line px-1.5 pb-1 [scrollbar-width:none]"
    >
      {parts.map((one) => {
        const Icon = icons[one]
        return (
          <button
            key={one}
            type="button"
            aria-label={t(`emoji.groups.${one}`)}
            title={t(`emoji.groups.${one}`)}
            aria-pressed={one === part}
            onClick={() => onPart(one)}
            className="grid h-11 min-w-10 flex-1 place-items-center rounded-m text-ink-2 transition hover:bg-sunken hover:text-ink focus-visible:-outline-offset-2 aria-pressed:text-accent"
          >
            <Icon aria-hidden="true" className="size-5!" />
          </button>
        )
      })}
    </nav>
  )
}
