import { foldedText } from '@duet/contract/folded-text.ts'

export interface EmojiEntry {
  emoji: string
  name: string
  words: string
  tones: readonly string[]
}

/** The groups and their order are Unicode's. */
export const emojiGroups = [
  'smileys',
  'people',
  'animals',
  'food',
  'travel',
  'activities',
  'objects',
  'symbols',
  'flags',
] as const
export type EmojiGroup = (typeof emojiGroups)[number]

export interface EmojiCatalogue {
  groups: Record<EmojiGroup, EmojiEntry[]>
  /** Keyed by emoji; every skin-tone variant has its own key. */
  entries: ReadonlyMap<string, EmojiEntry>
}

interface Listed {
  unicode: string
  label: string
  group?: number
  tags?: string[]
  skins?: { unicode: string }[]
}

// The index is emojibase's group number. Group 2 contains only parts of emoji, such as skin tones.
const groupAt: readonly (EmojiGroup | undefined)[] = [
  ...(['smileys', 'people', undefined] as const),
  ...(['animals', 'food', 'travel', 'activities', 'objects', 'symbols', 'flags'] as const),
]
export const toneMarks = ['🏻', '🏼', '🏽', '🏾', '🏿'] as const

const bare = (emoji: string) => emoji.replaceAll('\uFE0F', '')
/** Removes the redundant emoji presentation selector that some entries have and Unicode and the server omit. */
const asUnicode = (emoji: string) => (/^\p{Emoji_Presentation}\uFE0F$/u.test(emoji) ? bare(emoji) : emoji)

/** Old browsers show a box for unknown emoji, so filter those out. If the browser can't run the check, keep all. */
function knownHere(): (emoji: string) => boolean {
  try {
    const known = /^\p{RGI_Emoji}$/v
    return (emoji) => known.test(emoji)
  } catch {
    return () => true
  }
}

async function listOf(language: string): Promise<Listed[]> {
  const list = language === 'es' ? import('emojibase-data/es/compact.json') : import('emojibase-data/en/compact.json')
  return (await list).default as unknown as Listed[]
}

type Annotations = Record<string, { default?: string[]; tts?: string[] }>

/** emojibase has no Arabic annotations, so use those of Unicode's CLDR. */
async function annotationsOf(language: string): Promise<Annotations> {
  if (language !== 'ar') return {}
  const file = await import('cldr-annotations-modern/annotations/ar/annotations.json')
  return file.default.annotations.annotations as Annotations
}

/** From light to dark, without variants that mix several tones. */
function tonesOf({ unicode, skins = [] }: Listed): string[] {
  if (skins.length === 0) return []
  return toneMarks.map((tone) => {
    const marksOf = (emoji: string) => emoji.match(/\p{Emoji_Modifier}/gu) ?? []
    return skins.find(({ unicode: skin }) => marksOf(skin).every((mark) => mark === tone))?.unicode ?? unicode
  })
}

export async function loadEmoji(language: string): Promise<EmojiCatalogue> {
  const [list, annotations] = await Promise.all([listOf(language), annotationsOf(language)])
  const isKnown = knownHere()
  const groups = Object.fromEntries(emojiGroups.map((group) => [group, [] as EmojiEntry[]])) as EmojiCatalogue['groups']
  const entries = new Map<string, EmojiEntry>()
  for (const listed of list) {
    const group = listed.group === undefined ? undefined : groupAt[listed.group]
    const { label, tags = [] } = listed
    const emoji = asUnicode(listed.unicode)
    if (!group || !isKnown(emoji)) continue
    const said = annotations[bare(emoji)]
    const name = said?.tts?.[0] ?? label
    const entry = {
      emoji,
      name,
      words: foldedText([name, ...(said?.default ?? tags)].join(' ')),
      tones: tonesOf(listed),
    }
    groups[group].push(entry)
    for (const one of [emoji, ...entry.tones]) entries.set(one, entry)
  }
  return { groups, entries }
}

/** Tone 0 is the default yellow; 1 to 5 range from light to dark. */
export const inTone = ({ emoji, tones }: EmojiEntry, tone: number): string => tones[tone - 1] ?? emoji

const mostFound = 120

/** Returns the emoji whose names match every word of the text, those that start with it first. */
export function findEmoji({ groups }: EmojiCatalogue, text: string): EmojiEntry[] {
  const wanted = foldedText(text.trim())
  const parts = wanted.split(/\s+/)
  const found = emojiGroups
    .flatMap((group) => groups[group])
    .filter(({ words }) => parts.every((part) => words.includes(part)))
  const begins = ({ words }: EmojiEntry) => words.startsWith(wanted)
  return [...found.filter(begins), ...found.filter((entry) => !begins(entry))].slice(0, mostFound)
}
