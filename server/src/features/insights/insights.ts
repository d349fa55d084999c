import type { DayCounts, Exposure, ExposureOfGroup, Insights, Newcomers } from '@duet/contract/insights.ts'
import { after, days, minutes } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { matchingConstants } from '../matching/constants.ts'
import { gini } from '../matching/metrics.ts'
import {
  type CrowdRow,
  countAreas,
  countCrowd,
  countPeople,
  type DayRow,
  findCrowds,
  findDays,
  findFirstHours,
  findHappened,
  findShown,
  type HappenedRow,
  type ShownRow,
  type Windows,
} from './insights.queries.ts'

/** What happened is read of at most about so many people, so that the answer costs the same whatever the population. */
const sampleSizes = { counted: 20_000, happened: 10_000, shown: 1_000, decided: 4_000, newcomers: 20_000 }
const mostAreas = 50
const mostNewcomers = 1_000
const { newcomerHours, newcomerImpressions: guarantee } = matchingConstants
const trustedFor = minutes(1)

type Measurable = Pick<Platform, 'db' | 'pool' | 'clock'>

/** A share of all people, the same ones every time. */
interface Sample {
  share: number
  /** The highest id in it. */
  cut: string
}

/** Ids are random, so those up to a bound are a fair sample, and an index finds them. */
function sampleOf(people: number, size: number): Sample {
  const share = Math.min(1, size / Math.max(1, people))
  const cut = Math.floor(share * 0xffffffff)
    .toString(16)
    .padStart(8, '0')
  return { share, cut: `${cut}-ffff-ffff-ffff-ffffffffffff` }
}

const scaled = (count: number, { share }: Sample) => Math.round(count / share)
const dayOf = (date: Date) => date.toISOString().slice(0, 10)

/** Windows of whole days in UTC that end with today. */
function windowsOf(now: Date): Windows {
  const today = new Date(`${dayOf(now)}T00:00:00Z`)
  return { week: after(today, -days(6)), month: after(today, -days(29)) }
}

function crowdOf(row: CrowdRow, counted: Sample, happened: HappenedRow | undefined, sample: Sample) {
  const { people, woman, man, nonbinary, unsaid, active } = row
  const whole = (count: number) => scaled(count, counted)
  return {
    people: whole(people),
    genders: { woman: whole(woman), man: whole(man), nonbinary: whole(nonbinary), unsaid: whole(unsaid) },
    activeWeek: whole(active),
    likesWeek: scaled(happened?.likes ?? 0, sample),
    // Half a match for each of the two.
    matchesWeek: Math.round((happened?.matches ?? 0) / 2 / sample.share),
  }
}

async function crowds({ db }: Measurable, windows: Windows, everybody: CrowdRow) {
  const counted = sampleOf(everybody.people, sampleSizes.counted)
  const sample = sampleOf(everybody.people, sampleSizes.happened)
  const areas = await findCrowds(db, windows, counted.cut, mostAreas)
  const names = areas.map(({ area }) => area)
  const happened = new Map((await findHappened(db, windows, sample.cut, names)).map((row) => [row.area, row]))
  return {
    totals: crowdOf(everybody, sampleOf(0, 1), happened.get(null), sample),
    areas: areas.map((row) => ({ area: row.area, ...crowdOf(row, counted, happened.get(row.area), sample) })),
  }
}

const genderNames = [
  [1, 'woman'],
  [2, 'man'],
  [4, 'nonbinary'],
  [8, 'unsaid'],
] as const

/** From the last step that anyone has reached. */
const ages = [18, 30, 40, 50, 60] as const
/** Days since people came, at most. */
const tenures = [7, 30, 365] as const
/** Of fewer people chance says more than the order of decks. */
const leastInGroup = 5

type GroupOf = Pick<ExposureOfGroup, 'by' | 'group'>

/** The groups that a findable person belongs to. */
function groupsOf({ gender, years, here }: ShownRow): GroupOf[] {
  const name = genderNames.find(([bit]) => bit === gender)?.[1]
  const from = ages.findLast((age) => age <= (years ?? 0)) ?? ages[0]
  const until = tenures.find((most) => (here ?? 0) < most)
  return [
    ...(name ? [{ by: 'gender', group: name } as const] : []),
    { by: 'age', group: `${from}` },
    { by: 'tenure', group: until === undefined ? 'longer' : `${until}` },
  ]
}

const everyGroup: GroupOf[] = [
  ...genderNames.map(([, group]) => ({ by: 'gender', group }) as const),
  ...ages.map((age) => ({ by: 'age', group: `${age}` }) as const),
  ...[...tenures.map((most) => `${most}` as const), 'longer' as const].map(
    (group) => ({ by: 'tenure', group }) as const,
  ),
]

const meanOf = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0) / counts.length

/** How many cards people of each group were on, over the average of all people. */
function exposureByGroup(rows: ShownRow[], window: 'week' | 'month', sample: Sample): ExposureOfGroup[] {
  const everybody = meanOf(rows.map((row) => row[window]))
  if (!(everybody > 0)) return []
  return everyGroup.flatMap((one) => {
    const own = rows.filter((row) => groupsOf(row).some(({ by, group }) => by === one.by && group === one.group))
    if (own.length < leastInGroup) return []
    const ratio = meanOf(own.map((row) => row[window])) / everybody
    return [{ ...one, people: scaled(own.length, sample), ratio } as ExposureOfGroup]
  })
}

const giniOf = (counts: number[]) => (counts.some((count) => count > 0) ? gini(counts) : null)

/**
 * How cards were shared among those who can be found. Cards and matches are those of all people: many pause once they
 * have found someone.
 */
function exposureOf(all: ShownRow[], window: 'week' | 'month', matches: number, sample: Sample): Exposure {
  const cards = scaled(
    all.reduce((sum, row) => sum + row[window], 0),
    sample,
  )
  const rows = all.filter(({ gender }) => gender !== null)
  const counts = rows.map((row) => row[window])
  const genders = genderNames.flatMap(([bit, gender]) => {
    const own = rows.filter((row) => row.gender === bit).map((row) => row[window])
    return own.length > 0 ? [{ gender, people: scaled(own.length, sample), gini: giniOf(own) }] : []
  })
  return {
    cards,
    gini: giniOf(counts),
    genders,
    groups: exposureByGroup(rows, window, sample),
    neverShown: counts.length > 0 ? counts.filter((count) => count === 0).length / counts.length : null,
    matchesPer100: cards > 0 ? (100 * matches) / cards : null,
  }
}

function daysOf(rows: DayRow[], { month }: Windows, sample: Sample): DayCounts[] {
  const counts = new Map(rows.map(({ day, what, count }) => [`${day} ${what}`, count]))
  return Array.from({ length: 30 }, (_, place) => {
    const day = dayOf(after(month, days(place)))
    const count = (what: DayRow['what']) => scaled(counts.get(`${day} ${what}`) ?? 0, sample)
    return {
      day,
      likes: count('like'),
      passes: count('pass'),
      laters: count('later'),
      matches: Math.round((counts.get(`${day} match`) ?? 0) / 2 / sample.share),
    }
  })
}

const matchesIn = (list: DayCounts[]) => list.reduce((sum, { matches }) => sum + matches, 0)

function newcomersOf(shown: number[]): Newcomers {
  const sorted = shown.toSorted((a, b) => a - b)
  const middle = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]]
  const bounds = [0, 1, Math.ceil(guarantee / 5), Math.ceil(guarantee / 2), guarantee]
  return {
    people: shown.length,
    guarantee,
    hours: newcomerHours,
    median: shown.length > 0 ? ((middle[0] ?? 0) + (middle[1] ?? 0)) / 2 : null,
    reached: shown.length > 0 ? shown.filter((count) => count >= guarantee).length / shown.length : null,
    steps: bounds.map((from, place) => {
      const to = bounds[place + 1] ?? Number.POSITIVE_INFINITY
      return { from, people: shown.filter((count) => count >= from && count < to).length }
    }),
  }
}

async function measure(platform: Measurable): Promise<Insights> {
  const { db, clock } = platform
  const now = clock.now()
  const windows = windowsOf(now)
  const [accounts, everybody] = await Promise.all([countPeople(db), countCrowd(db, windows)])
  const { people: visible } = everybody
  const seen = sampleOf(accounts, sampleSizes.shown)
  const deciding = sampleOf(accounts, sampleSizes.decided)
  const arrived = { from: after(now, -days(7)), until: now, hours: newcomerHours, most: mostNewcomers }
  const [places, crowd, shown, decided, first] = await Promise.all([
    countAreas(db),
    crowds(platform, windows, everybody),
    findShown(db, windows, now, seen.cut),
    findDays(db, windows, deciding.cut),
    findFirstHours(db, arrived, sampleOf(visible, sampleSizes.newcomers).cut),
  ])
  const series = daysOf(decided, windows, deciding)
  return {
    measuredAt: now.toISOString(),
    sample: accounts > sampleSizes.shown ? sampleSizes.shown : null,
    accounts,
    places,
    ...crowd,
    // Of all people, as the days have them.
    totals: { ...crowd.totals, matchesWeek: matchesIn(series.slice(-7)) },
    week: exposureOf(shown, 'week', matchesIn(series.slice(-7)), seen),
    month: exposureOf(shown, 'month', matchesIn(series), seen),
    days: series,
    newcomers: newcomersOf(first),
  }
}

/** By the pool: one process measures once a minute, however many ask. */
const measured = new WeakMap<Platform['pool'], { insights: Promise<Insights>; at: number }>()

/** The state of the pool, at most a minute old. */
export function insightsNow(platform: Measurable): Promise<Insights> {
  const at = platform.clock.now().getTime()
  const last = measured.get(platform.pool)
  if (last && Math.abs(at - last.at) < trustedFor) return last.insights
  const insights = measure(platform)
  measured.set(platform.pool, { insights, at })
  insights.catch(() => measured.delete(platform.pool))
  return insights
}
