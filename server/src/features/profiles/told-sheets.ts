import { by } from '@duet/contract/order.ts'
import type { Platform } from '../../platform/platform.ts'
import { agreementOf } from '../matching/agreement.ts'
import { matchingConstants } from '../matching/constants.ts'
import { type ToldSheet, tellNow, toldSheetsOf } from '../questions/told-sheets.ts'

export interface Sheets {
  mine: Uint8Array | undefined
  theirs: Uint8Array | undefined
}

interface Answered {
  id: string
  sheet: Uint8Array
}

const askedOf = ({ mine, theirs }: Sheets) => (mine && theirs ? agreementOf(mine, theirs).asked : 0)

/**
 * Whether two people have enough additional questions in common to show a new agreement. With fewer than
 * `questionsLeast`, no agreement is shown.
 */
function isFurther(current: Sheets, shown: Sheets): boolean {
  const { questionsLeast } = matchingConstants
  const asked = askedOf(shown)
  return askedOf(current) >= (asked < questionsLeast ? 0 : asked) + questionsLeast
}

/** The sheets that determine the agreement two people see. Derived only from the sheets that both have stored today. */
export function shownBy(mine: readonly ToldSheet[], theirs: readonly ToldSheet[]): Sheets {
  let current: Sheets = { mine: mine[0]?.sheet, theirs: theirs[0]?.sheet }
  let shown = current
  const later = [
    ...mine.slice(1).map(({ sheet, since }) => ({ since, change: { mine: sheet } })),
    ...theirs.slice(1).map(({ sheet, since }) => ({ since, change: { theirs: sheet } })),
  ].sort(by(({ since }) => since))
  for (const [place, { since, change }] of later.entries()) {
    current = { ...current, ...change }
    // Sheets stored at the same moment count as one step, so that both people see the same agreement, whatever the
    // order.
    if (later[place + 1]?.since !== since && isFurther(current, shown)) shown = current
  }
  return shown
}

/**
 * The answers that determine the agreement a viewer sees with each of `others`: those at the start of the day (UTC),
 * until both people have answered enough additional questions. Otherwise a viewer could change one answer, compare, and
 * infer the other person's answer from the difference.
 */
export async function sheetsToTell(
  platform: Pick<Platform, 'db' | 'pool' | 'clock'>,
  viewer: Answered,
  others: readonly Answered[],
): Promise<Map<string, Sheets>> {
  const sheets = new Map([viewer, ...others].map(({ id, sheet }) => [id, sheet]))
  let told = await toldSheetsOf(platform, sheets)
  const of = (id: string) => told.get(id) ?? []
  const shownOf = ({ id }: Answered) => shownBy(of(viewer.id), of(id))
  const further = others.filter((other) => isFurther({ mine: viewer.sheet, theirs: other.sheet }, shownOf(other)))
  const changed = [viewer, ...further].filter(({ id, sheet }) => {
    const last = of(id).at(-1)
    return last && Buffer.compare(last.sheet, sheet) !== 0
  })
  if (further.length > 0 && changed.length > 0) {
    for (const { id, sheet } of changed) await tellNow(platform, id, sheet, of(id))
    told = await toldSheetsOf(platform, sheets)
  }
  return new Map(others.map((other) => [other.id, shownOf(other)]))
}
