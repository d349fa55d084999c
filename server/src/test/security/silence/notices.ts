import { type ActName, actNames } from './acts.ts'
import { type Relation, relations, type Scene } from './pair.ts'

/** What is noticed, by relations with a blank between them: all of them, each once. */
type Cells = Record<string, string>

/**
 * What the observer notices of an act while both are connected: the events their device hears at once, and after a slash
 * what they find changed when they look again. An observer who is away finds the same and hears nothing; where it is
 * otherwise, `unheard` says so.
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

/** What tells whether the actor is online: where they have no device, nothing is heard or found of it. */
const presence = new Set(['online', 'offline'])

/** What the table says of one cell. Throws for one that is missing: all of them are explicit. */
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

/** Acts after which the actor is gone for the observer, and those after which they are back, which look alike. */
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
  // Blocked people may block in their turn, and cannot report people they do not see. Erased ones leave the list of blocks.
  const those = gone.filter((act) => relation !== 'blocked' || (act !== 'report and block' && act !== 'be erased'))
  if (matched.includes(relation)) those.push('unmatch')
  if (unknown.includes(relation)) those.push('go incognito')
  // A blocker who takes the block back ends what kept the two apart, and nothing else does.
  return [those, back.filter((act) => relation !== 'blocker' || act !== 'take a block back')]
}

export const isAlike = ({ act, relation }: { act: ActName; relation: Relation }): boolean =>
  alikeFor(relation).some((those) => those.includes(act))

/** Who is back after a suspension has no device yet: all acts can be compared only where no one has one. */
export const comparedIn = (act: ActName, scene: Scene): boolean => !back.includes(act) || scene === 'actor away'

/** Acts whose cells are played also when the actor has no device: nothing but presence may depend on that. */
const alsoAway: readonly ActName[] = [...gone, ...back, 'unmatch', 'go incognito']

/** Every cell there is: the product of the acts, the relations, and who is connected. */
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
