import { type ActName, actNames } from './acts.ts'
import { type Relation, relations, type Scene } from './pair.ts'

/** What is noticed, by relations (separated by spaces). Every relation must be listed exactly once. */
type Cells = Record<string, string>

/**
 * What the observer notices of an action while both are connected: the events on their device and, after a slash, what
 * has changed when they check again. An observer who wasn't connected finds the same changes without the events, unless
 * `unheard` lists others.
 */
export interface Row {
  cells: Cells
  unheard?: Cells
}
export type Notices = Record<ActName, Row>

function cellOf(name: string, cells: Cells, relation: Relation): string | undefined {
  const found = Object.entries(cells).filter(([who]) => who.split(' ').includes(relation))
  if (found.length > 1) throw new Error(`${name}: ${relation} is there twice`)
  return found[0]?.[1]
}

/** Events that reveal whether the actor is online; not expected when the actor has no device connected. */
const presence = new Set(['online', 'offline'])

/** The table's entry for a cell. Throws for a missing entry, because all must be listed. */
export function expectedOf(table: Notices, act: ActName, relation: Relation, scene: Scene): string {
  const { cells, unheard = {} } = table[act]
  const noticed = cellOf(act, cells, relation)
  if (noticed === undefined) throw new Error(`${act}: nothing is said of ${relation}`)
  if (scene === 'both here') return noticed
  const other = scene === 'observer away' ? cellOf(act, unheard, relation) : undefined
  if (other !== undefined) return other
  const [events = '', looks = ''] = noticed.split('/')
  const kept = looks.split(' ').filter((word) => word !== '' && (scene !== 'actor away' || !presence.has(word)))
  const heard = events.split(' ').filter((word) => word !== '' && scene === 'actor away' && !presence.has(word))
  return [...heard, ...(kept.length > 0 ? ['/', ...kept] : [])].join(' ')
}

/**
 * Actions after which the actor has disappeared for the observer, and actions after which they are back. Those of a
 * group must look the same.
 */
const gone: readonly ActName[] = [
  'block',
  'report and block',
  'be suspended',
  'be banned',
  'be kept unseen',
  'ask for erasure',
  'be erased',
]
const back: readonly ActName[] = ['take a block back', 'have a suspension lifted', 'keep the account']
const matched: readonly Relation[] = ['match', 'couple']
const unknown: readonly Relation[] = ['stranger', 'liked', 'receiver']

/** Actions that an observer in this relation to the actor must not be able to tell apart. */
export function alikeFor(relation: Relation): (readonly ActName[])[] {
  // A blocked person may block in turn, and can't report people they can't see. Erased people disappear from the list
  // of blocks.
  const those = gone.filter((act) => relation !== 'blocked' || (act !== 'report and block' && act !== 'be erased'))
  if (matched.includes(relation)) those.push('unmatch')
  if (unknown.includes(relation)) those.push('go incognito')
  // Only a blocker who ends their block makes the two visible to each other again.
  return [those, back.filter((act) => relation !== 'blocker' || act !== 'take a block back')]
}

export const isAlike = ({ act, relation }: { act: ActName; relation: Relation }): boolean =>
  alikeFor(relation).some((those) => those.includes(act))

/**
 * After a suspension the actor's device isn't connected, so these actions are compared only when the actor has no
 * device connected.
 */
export const comparedIn = (act: ActName, scene: Scene): boolean => !back.includes(act) || scene === 'actor away'

/** Actions that are also tested without a connected device of the actor; only presence may then differ. */
const alsoAway: readonly ActName[] = [...gone, ...back, 'unmatch', 'go incognito']

export function allCells() {
  return actNames.flatMap((act) =>
    relations.flatMap((relation) =>
      (['both here', 'observer away', ...(alsoAway.includes(act) ? ['actor away'] : [])] as Scene[]).map((scene) => ({
        act,
        relation,
        scene,
      })),
    ),
  )
}
