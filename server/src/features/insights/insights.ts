import type { DayCounts, Exposure, ExposureOfGroup, Insights, Newcomers } from '@duet/contract/insights.ts'
import { ascending } from '@duet/contract/order.ts'
import { after, days, minutes } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Platform } from '../../platform/platform.ts'
import { matchingConstants } from '../matching/constants.ts'
import { gini } from '../matching/metrics.ts'
import {
  type AreaRow,
  type CrowdRow,
  countCrowd,
  countPeople,
  countUpTo,
  type DayRow,
  findAreas,
  findDays,
  findFirstHours,
  findHappened,
  findShown,
  type HappenedRow,
  type ShownRow,
  stayAlone,
  type Windows,
} from './insights.queries.ts'

/** Approximate numbers of people sampled, so that the cost doesn't grow with the population. */
const sampleSizes = { counted: 10_000, happened: 5_000, shown: 1_000, decided: 4_000, newcomers: 10_000 }
const mostAreas = 50
const mostNewcomers = 1_000
const { newcomerHours, newcomerImpressions: guarantee } = matchingConstants
const trustedFor = minutes(1)

type Measurable = Pick<Platform, 'db' | 'pool' | 'clock'>

/** A sample of all people. It contains the same people each time. */
interface Sample {
  share: number
  cut: string
}
type Samples = Record<keyof typeof sampleSizes, Sample>

/** Ids are random, so the people with ids up to a certain one are a fair sample that an index finds. */
function highestSampleId(share: number): string {
  const first = Math.floor(Math.min(1, share) * 0xffffffff)
  return `${first.toString(16).padStart(8, '0')}-ffff-ffff-ffff-ffffffffffff`
}

async function samplesOf(db: Db, accounts: number): Promise<Samples> {
  const cuts = Object.entries(sampleSizes).map(
    ([name, size]) => [name, highestSampleId(size / Math.max(1, accounts))] as const,
  )
  const counts = await countUpTo(
    db,
    cuts.map(([, cut]) => cut),
  )
  // Counted rather than assumed: a planned sample of 10 % may really be 9 or 11 %, which would distort every result.
  const samples = cuts.map(([name, cut], place) => [name, { cut, share: (counts[place] || 1) / Math.max(1, accounts) }])
  return Object.fromEntries(samples) as Samples
}

const scaled = (count: number, { share }: Sample) => Math.round(count / share)
const dayOf = (date: Date) => date.toISOString().slice(0, 10)

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
    // Halved, because each match is counted for both people.
    matchesWeek: Math.round((happened?.matches ?? 0) / 2 / sample.share),
  }
}

/**
 * Estimates the total number of areas from a sample, with the Duj1 estimator of Haas and Stokes, "Estimating the Number
 * of Classes in a Finite Population" (1998), which PostgreSQL's ANALYZE also uses. The number of areas with only one
 * person indicates how many areas were missed. Exact if the sample includes everyone.
 */
export function placesOf({ places, lone }: Pick<AreaRow, 'places' | 'lone'>, people: number, share: number): number {
  return people === 0 ? 0 : Math.round((people * places) / (people - lone + lone * share))
}

async function crowds(db: Db, windows: Windows, { counted, happened: sample }: Samples) {
  const all = await countCrowd(db, windows, counted.cut)
  const areas = await findAreas(db, windows, counted.cut, mostAreas)
  const names = areas.map(({ area }) => area)
  const happened = new Map((await findHappened(db, windows, sample.cut, names)).map((row) => [row.area, row]))
  return {
    totals: crowdOf(all, counted, happened.get(null), sample),
    places: placesOf(areas[0] ?? { places: 0, lone: 0 }, all.people, counted.share),
    areas: areas.map((row) => ({ area: row.area, ...crowdOf(row, counted, happened.get(row.area), sample) })),
  }
}

const genderNames = [
  [1, 'woman'],
  [2, 'man'],
  [4, 'nonbinary'],
  [8, 'unsaid'],
] as const

const ages = [18, 30, 40, 50, 60] as const
/** Upper bounds, in days since joining. */
const tenures = [7, 30, 365] as const
/** In smaller groups, chance affects the result more than the order of decks does. */
const leastInGroup = 5

type GroupOf = Pick<ExposureOfGroup, 'by' | 'group'>

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
 * How evenly cards were distributed among people who can be found. The numbers of cards and matches include everyone
 * else too, because many people pause once they have found someone.
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
  const sorted = shown.toSorted(ascending)
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

async function measureIn(db: Db, now: Date): Promise<Insights> {
  const windows = windowsOf(now)
  const accounts = await countPeople(db)
  await stayAlone(db)
  const samples = await samplesOf(db, accounts)
  const crowd = await crowds(db, windows, samples)
  const shown = await findShown(db, windows, now, samples.shown.cut)
  const series = daysOf(await findDays(db, windows, samples.decided.cut), windows, samples.decided)
  const arrived = { from: after(now, -days(7)), until: now, hours: newcomerHours, most: mostNewcomers }
  const first = await findFirstHours(db, arrived, samples.newcomers.cut)
  return {
    measuredAt: now.toISOString(),
    sample: accounts > sampleSizes.shown ? sampleSizes.shown : null,
    accounts,
    ...crowd,
    // Replaces the sampled number, so that it matches the daily numbers.
    totals: { ...crowd.totals, matchesWeek: matchesIn(series.slice(-7)) },
    week: exposureOf(shown, 'week', matchesIn(series.slice(-7)), samples.shown),
    month: exposureOf(shown, 'month', matchesIn(series), samples.shown),
    days: series,
    newcomers: newcomersOf(first),
  }
}

const measure = ({ db, clock }: Measurable): Promise<Insights> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((snapshot) => measureIn(snapshot, clock.now()))

/** Cached per database pool, so that a process measures at most once a minute. */
const measured = new WeakMap<Platform['pool'], { insights: Promise<Insights>; at: number }>()

export function insightsNow(platform: Measurable): Promise<Insights> {
  const at = platform.clock.now().getTime()
  const last = measured.get(platform.pool)
  if (last && Math.abs(at - last.at) < trustedFor) return last.insights
  const insights = measure(platform)
  measured.set(platform.pool, { insights, at })
  insights.catch(() => measured.delete(platform.pool))
  return insights
}
