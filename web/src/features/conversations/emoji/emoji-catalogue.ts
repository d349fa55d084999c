import { foldedText } from '@duet/contract/folded-text.ts'

export interface EmojiEntry {
  emoji: string
  name: string
  words: string
  tones: readonly string[]
}

/** The groups and their order come from Unicode. */
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
  /** Keyed by the emoji, in every skin tone. */
  entries: ReadonlyMap<string, EmojiEntry>
}

/** An entry of emojibase's compact list, which is in Unicode order. */
interface Listed {
  unicode: string
  label: string
  group?: number
  tags?: string[]
  skins?: { unicode: string }[]
}

// Indexed by emojibase's group number; 2 is for components of emoji.
const groupAt: readonly (EmojiGroup | undefined)[] = [
  ...(['smileys', 'people', undefined] as const),
  ...(['animals', 'food', 'travel', 'activities', 'objects', 'symbols', 'flags'] as const),
]
export const toneMarks = ['🏻', '🏼', '🏽', '🏾', '🏿'] as const

const bare = (emoji: string) => emoji.replaceAll('\uFE0F', '')
/** Some entries carry a redundant emoji presentation selector; Unicode and the server omit it. */
const asUnicode = (emoji: string) => (/^\p{Emoji_Presentation}\uFE0F$/u.test(emoji) ? bare(emoji) : emoji)

/** Old browsers show a box for emoji they don't know. A browser without this check gets all of them. */
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

/** emojibase has no Arabic, so Arabic comes from Unicode's CLDR. */
async function annotationsOf(language: string): Promise<Annotations> {
  if (language !== 'ar') return {}
  const file = await import('cldr-annotations-modern/annotations/ar/annotations.json')
  return file.default.annotations.annotations as Annotations
}

/** Returns the variants in which every person has the same skin tone, from light to dark. */
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

/** Tone 0 is the yellow default, 1 to 5 go from light to dark. */
export const inTone = ({ emoji, tones }: EmojiEntry, tone: number): string => tones[tone - 1] ?? emoji

const mostFound = 120

/** Returns the emoji that match every word of the text; names that start with it come first. */
export function findEmoji({ groups }: EmojiCatalogue, text: string): EmojiEntry[] {
  const wanted = foldedText(text.trim())
  const parts = wanted.split(/\s+/)
  const found = emojiGroups
    .flatMap((group) => groups[group])
    .filter(({ words }) => parts.every((part) => words.includes(part)))
  const begins = ({ words }: EmojiEntry) => words.startsWith(wanted)
  return [...found.filter(begins), ...found.filter((entry) => !begins(entry))].slice(0, mostFound)
}
