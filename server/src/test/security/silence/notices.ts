import { type ActName, actNames } from './acts.ts'
import { type Relation, relations, type Scene } from './pair.ts'

/** What is noticed, by space-separated relations: all of them, each once. */
type Cells = Record<string, string>

/**
 * What the observer notices of an act while both are connected: the events on their device and, after a slash, what has
 * changed when they look again. An absent observer finds the same without events, unless `unheard` says otherwise.
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

/** What reveals whether the actor is online; it doesn't appear when the actor has no device. */
const presence = new Set(['online', 'offline'])

/** The table's entry for a cell. Throws for a missing one, because all are explicit. */
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
 * Acts after which the actor is gone for the observer, and acts after which they are back. Each group must look alike.
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

/** Acts that must be indistinguishable to an observer in this relation to the actor. */
export function alikeFor(relation: Relation): (readonly ActName[])[] {
  // A blocked person may block in turn, and can't report people they don't see. Erased people leave the list of blocks.
  const those = gone.filter((act) => relation !== 'blocked' || (act !== 'report and block' && act !== 'be erased'))
  if (matched.includes(relation)) those.push('unmatch')
  if (unknown.includes(relation)) those.push('go incognito')
  // Only a blocker who ends the block removes what separated the two.
  return [those, back.filter((act) => relation !== 'blocker' || act !== 'take a block back')]
}

export const isAlike = ({ act, relation }: { act: ActName; relation: Relation }): boolean =>
  alikeFor(relation).some((those) => those.includes(act))

/** After a suspension the actor has no device yet, so these acts are compared only when no one has one. */
export const comparedIn = (act: ActName, scene: Scene): boolean => !back.includes(act) || scene === 'actor away'

/** Acts that are also tested without an actor's device: only presence may depend on it. */
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
