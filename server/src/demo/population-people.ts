import { createHash } from 'node:crypto'
import { interestIds, promptIds } from '@duet/contract/catalogue.ts'
import { childrenWishes, diets, frequencies, intents, languages } from '@duet/contract/limits.ts'
import { importances, questionCatalogue } from '@duet/contract/question-catalogue.ts'
import { writeSheet } from '../features/questions/sheet.ts'
import { after, days } from '../platform/clock.ts'
import { type Random, seededRandom } from '../platform/random.ts'
import { beginnings, ends } from './bios.ts'
import { origins } from './names.ts'
import type { MadeUp } from './population.queries.ts'
import { pick, pickShare, pickSome, waiting } from './population-chance.ts'
import { drawHome, type Home } from './population-places.ts'
import { answers } from './words.ts'

export function idOf(seed: number, number: number): string {
  const hex = createHash('md5').update(`duet seed ${seed} ${number}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

export const emailsOf = (seed: number) => `seed-${seed}-`

const genders = [
  ['woman', 43],
  ['man', 53],
  ['nonbinary', 4],
] as const
// An empty list means all genders.
const sought = {
  woman: [
    [['man'], 86],
    [['woman'], 5],
    [['woman', 'man'], 6],
    [[], 3],
  ],
  man: [
    [['woman'], 88],
    [['man'], 6],
    [['woman', 'man'], 3],
    [[], 3],
  ],
  nonbinary: [
    [[], 50],
    [['nonbinary', 'woman'], 25],
    [['man'], 25],
  ],
} as const
const reaches = {
  city: [
    [5, 5],
    [10, 14],
    [25, 30],
    [50, 26],
    [100, 18],
    [null, 7],
  ],
  country: [
    [25, 12],
    [50, 30],
    [100, 43],
    [null, 15],
  ],
} as const

function wishesOf(random: Random, gender: string): Pick<MadeUp, 'interested_in' | 'preferences'> {
  const preferences: Record<string, object> = {}
  const wish = (item: string, accepts: readonly string[], often: number, strict: number) => {
    if (random() < often) preferences[item] = { accepts, dealbreaker: random() < strict }
  }
  wish('smoking', random() < 0.6 ? ['never'] : ['never', 'sometimes'], 0.22, 0.5)
  wish('children', random() < 0.6 ? ['want', 'open', 'have_and_want_more'] : ['do_not_want', 'open'], 0.15, 0.4)
  wish('intents', random() < 0.7 ? ['relationship', 'dating'] : ['dating', 'friendship', 'open'], 0.14, 0.3)
  wish('drinking', ['never', 'sometimes'], 0.06, 0.3)
  if (random() < 0.04) preferences.height = { min: 165, max: 200, dealbreaker: random() < 0.5 }
  return { interested_in: pickShare<readonly string[]>(random, sought[gender as keyof typeof sought]), preferences }
}

function factsOf(random: Random, gender: string, { city }: Home) {
  const said = <T>(share: number, draw: () => T) => (random() < share ? draw() : null)
  const bell = random() + random() + random() - 1.5
  const local = languages[(city * 7) % languages.length] as string
  const others = random() < 0.65 ? ['en'] : []
  return {
    height_cm: said(0.7, () => Math.round((gender === 'woman' ? 165 : 177) + bell * 16)),
    children: said(0.55, () => pick(random, childrenWishes)),
    smoking: said(0.65, () => pick(random, frequencies, 2)),
    drinking: said(0.65, () => pick(random, frequencies, 0.8)),
    diet: said(0.4, () => pick(random, diets, 2.5)),
    languages:
      random() < 0.7 ? [...new Set([local, ...others, ...pickSome(random, languages, random() < 0.2 ? 1 : 0)])] : [],
  }
}

function drawSheet(random: Random): string {
  const many = Math.ceil(random() * questionCatalogue.length)
  const drawn = questionCatalogue.slice(0, many).filter(() => random() < 0.7)
  const sheet = writeSheet(
    drawn.map(({ id, choices }) => {
      const choice = pick<string>(random, choices)
      const accepts = choices.filter((one) => one === choice || random() < 0.4)
      return { question: id, choice, accepts, importance: pick(random, importances) }
    }),
  )
  return Buffer.from(sheet).toString('hex')
}

const drawnSheets = new Map<number, string>()
/** Picks from 1,000 prepared profile sheets, which is varied enough and fast. */
function sheetOf(random: Random): string | null {
  if (random() < 0.4) return null
  const number = Math.floor(random() * 1_000)
  const sheet = drawnSheets.get(number) ?? drawSheet(seededRandom(number))
  drawnSheets.set(number, sheet)
  return sheet
}

function storyOf(random: Random, gender: string) {
  const origin = pick(random, origins)
  const names = gender === 'woman' ? origin.women : gender === 'man' ? origin.men : origin.both
  const prompts = pickSome(random, promptIds, Math.floor(random() * 4)).map((prompt) => {
    const [first, second] = answers[prompt]
    return { prompt, answer: `${pick(random, first)} ${pick(random, second)}` }
  })
  return { name: pick(random, names.split(' ')), bio: `${pick(random, beginnings)} ${pick(random, ends)}`, prompts }
}

function agesOf(random: Random, now: Date) {
  const years = 19 + random() ** 1.6 * 50
  const wide = random() < 0.1
  return {
    birth_date: after(now, -days(Math.floor(years * 365.25)))
      .toISOString()
      .slice(0, 10),
    age_min: wide ? 18 : Math.max(18, Math.floor(years - 3 - random() * 9)),
    age_max: wide ? 99 : Math.min(99, Math.floor(years + 3 + random() * 12)),
  }
}

export function madeUp(seed: number, number: number, now: Date): MadeUp {
  const random = seededRandom(seed * 1_000_003 + number)
  const gender = pickShare(random, genders)
  const home = drawHome(random)
  const here = Math.min(waiting(random, 150), 900)
  const wanted = random() < 0.15 ? [] : pickSome(random, intents, random() < 0.6 ? 1 : 2)
  return {
    id: idOf(seed, number),
    email: `${emailsOf(seed)}${number}@duet.example`,
    gender,
    ...storyOf(random, gender),
    ...agesOf(random, now),
    ...wishesOf(random, gender),
    ...factsOf(random, gender, home),
    max_distance_km: pickShare<number | null>(random, home.isRural ? reaches.country : reaches.city),
    intents: wanted,
    interests: pickSome(random, interestIds, Math.floor(random() ** 0.7 * 9)),
    paused: random() < 0.03,
    created_at: after(now, -days(here)).toISOString(),
    last_active_at: after(now, -days(Math.min(here, waiting(random, random() < 0.7 ? 3 : 40)))).toISOString(),
    cell: home.cell,
    latitude: home.latitude,
    longitude: home.longitude,
    area: home.area,
    sheet: sheetOf(random),
  }
}
