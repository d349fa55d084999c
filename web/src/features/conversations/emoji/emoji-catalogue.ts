import { foldedText } from '@duet/contract/folded-text.ts'

/** One emoji: its name and what it is found by, in the viewer's language, and its skin tones from light to dark. */
export interface EmojiEntry {
  emoji: string
  name: string
  words: string
  tones: readonly string[]
}

/** As Unicode groups and orders them. */
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
  /** By the emoji itself, in whatever tone. */
  entries: ReadonlyMap<string, EmojiEntry>
}

/** A line of emojibase's compact list, which is in the order of Unicode. */
interface Listed {
  unicode: string
  label: string
  group?: number
  tags?: string[]
  skins?: { unicode: string }[]
}

// The number of each group; 2 are parts of emoji.
const groupAt: readonly (EmojiGroup | undefined)[] = [
  ...(['smileys', 'people', undefined] as const),
  ...(['animals', 'food', 'travel', 'activities', 'objects', 'symbols', 'flags'] as const),
]
export const toneMarks = ['🏻', '🏼', '🏽', '🏾', '🏿'] as const

const bare = (emoji: string) => emoji.replaceAll('\uFE0F', '')
/** Some carry a sign that asks for a picture though they are one anyway: Unicode, and the server, do without. */
const asUnicode = (emoji: string) => (/^\p{Emoji_Presentation}\uFE0F$/u.test(emoji) ? bare(emoji) : emoji)

/** An old browser shows a box for what it does not know; one that cannot tell gets all of them. */
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

/** emojibase knows no Arabic; Unicode does. */
async function annotationsOf(language: string): Promise<Annotations> {
  if (language !== 'ar') return {}
  const file = await import('cldr-annotations-modern/annotations/ar/annotations.json')
  return file.default.annotations.annotations as Annotations
}

/** The same emoji with every person in it of one tone, from light to dark. */
function tonesOf({ unicode, skins = [] }: Listed): string[] {
  if (skins.length === 0) return []
  return toneMarks.map((tone) => {
    const marksOf = (emoji: string) => emoji.match(/\p{Emoji_Modifier}/gu) ?? []
    return skins.find(({ unicode: skin }) => marksOf(skin).every((mark) => mark === tone))?.unicode ?? unicode
  })
}

/** Every emoji that this browser shows, with its words in a language of the app. */
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

/** An emoji in a tone: 0 is the yellow one, 1 to 5 go from light to dark. */
export const inTone = ({ emoji, tones }: EmojiEntry, tone: number): string => tones[tone - 1] ?? emoji

const mostFound = 120

/** The emoji with all the words of a text among theirs; those whose name begins with it come first. */
export function findEmoji({ groups }: EmojiCatalogue, text: string): EmojiEntry[] {
  const wanted = foldedText(text.trim())
  const parts = wanted.split(/\s+/)
  const found = emojiGroups
    .flatMap((group) => groups[group])
    .filter(({ words }) => parts.every((part) => words.includes(part)))
  const begins = ({ words }: EmojiEntry) => words.startsWith(wanted)
  return [...found.filter(begins), ...found.filter((entry) => !begins(entry))].slice(0, mostFound)
}
