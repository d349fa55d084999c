/*
 * Which keys a statement touches, counted in the plan that PostgreSQL ran: if every table were spread over machines by one
 * of its columns, each part of the plan that reads or adds rows names values of that column, or else asks every machine.
 */

/** A node of what auto_explain tells in JSON, as far as it is read here. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  Alias?: string
  'Subplan Name'?: string
  'CTE Name'?: string
  'Function Call'?: string
  Operation?: string
  Output?: string[]
  'Index Cond'?: string
  'Recheck Cond'?: string
  Filter?: string
  'Actual Loops'?: number
  'Actual Rows'?: number
  Plans?: PlanNode[]
}

/** Where `spreadBy` is not `user_id`. */
const keyColumns: Record<string, string | null> = {
  accounts: 'id',
  attachments: 'conversation_id',
  blocks: 'blocker_id',
  conversations: 'id',
  decisions: 'actor_id',
  impressions: 'viewer_id',
  lessons: 'actor_id',
  matches: 'id',
  message_prints: 'sender_id',
  messages: 'conversation_id',
  sessions: 'token_hash',
  models: null,
  settings: null,
  trait_values: null,
  // Limits are counted, and jobs done, by the server of the coordinator.
  rate_limits: null,
  _private_jobs: null,
  _private_tasks: null,
  _private_job_queues: null,
}

/** A column's number in its table, from 1: where what is added stands in the output of a plan. */
export type ColumnNumber = (table: string, column: string) => number

/** The keys that a statement touched. */
export interface Keys {
  /** Those that its plans name. */
  named: Set<string>
  /** At most so many others, by what they were read from. */
  found: Map<string, number>
  /** Tables of which every machine was asked for its part. */
  everywhere: Set<string>
}

export const noKeys = (): Keys => ({ named: new Set(), found: new Map(), everywhere: new Set() })

const literal = String.raw`'[^']*'::[a-z ]+(?:\[\])?`
const literals = new RegExp(`^${literal}$`)
const valuesOf = (written: string) =>
  (written.split("'")[1] ?? '')
    .replace(/^\{|\}$/g, '')
    .split(written.endsWith('[]') ? ',' : '\n')
    .filter(Boolean)

function* nodesOf(node: PlanNode): Generator<PlanNode> {
  yield node
  for (const child of node.Plans ?? []) yield* nodesOf(child)
}

/** A comparison of a part's key with an expression, and with how many values of it at most: of a list, no one knows. */
type Comparison = [expression: string, times: number]

function lookedUp(node: PlanNode, column: string): Comparison[] {
  // A filter with alternatives may leave the key open.
  const filter = node.Filter?.includes(' OR ') ? '' : node.Filter
  const conditions = [node['Index Cond'], node['Recheck Cond'], filter].join(' ')
  const loops = node['Actual Loops'] ?? 0
  const comparisons = new RegExp(String.raw`\b${column} = (ANY \()?(${literal}|[^()]*(?:\([^()]*\)[^()]*)*)`, 'g')
  return [...conditions.matchAll(comparisons)].map(([, any, expression = '']) => [
    // What a subquery gave, as it was written.
    expression.replace(/^\((\$\d+)\)::uuid\[\]$/, '$1'),
    any ? Number.POSITIVE_INFINITY : loops,
  ])
}

/** Of an insert, by the output of the plan below it. */
const added = ({ Plans: [from] = [] }: PlanNode, place: number): Comparison[] => [
  [from?.Output?.[place - 1] ?? '', (from?.['Actual Loops'] ?? 0) * (from?.['Actual Rows'] ?? 0)],
]

/** Expressions of a plan that have the same values: what is read of a part of it, and what that part gives. */
function sameIn(plan: PlanNode): (expression: string) => string {
  const first = new Map<string, string>()
  const root = (one: string): string => {
    const next = first.get(one)
    return next === undefined ? one : root(next)
  }
  // Values stand for all that equals them.
  const join = (one: string, other: string) => {
    const [a, b] = [root(one), root(other)]
    if (a === b || (literals.test(a) && literals.test(b))) return
    if (literals.test(a)) first.set(b, a)
    else first.set(a, b)
  }
  const all = [...nodesOf(plan)]
  for (const node of all) {
    const { Output: output = [] } = node
    const [, returned] = /^InitPlan .*returns (\$\d+)/.exec(node['Subplan Name'] ?? '') ?? []
    if (returned && output[0]) join(returned, output[0])
    const from = readBy(node, all)
    if (from.length === output.length) for (const [place, one] of from.entries()) join(output[place] as string, one)
    const column = keyColumnOf(node)
    if (column && !node.Operation)
      for (const [expression] of lookedUp(node, column)) join(`${node.Alias}.${column}`, expression)
  }
  return root
}

/** What a part of a plan that is no table gives, column by column, as the part that it reads it from writes it. */
function readBy(node: PlanNode, all: readonly PlanNode[]): readonly string[] {
  if (node['Node Type'] === 'CTE Scan')
    return all.find((one) => one['Subplan Name'] === `CTE ${node['CTE Name']}`)?.Output ?? []
  if (node['Node Type'] === 'Subquery Scan') return node.Plans?.[0]?.Output ?? []
  if (!node['Function Call']?.startsWith('unnest(')) return []
  const lists = node['Function Call'].match(new RegExp(`\\$\\d+|${literal}`, 'g')) ?? []
  return lists.length < (node.Output?.length ?? 0) ? [...lists, 'ordinality'] : lists
}

/** The table of a part of a plan, or the one that its partition is of. */
const tableOf = (node: PlanNode) => node['Relation Name']?.replace(/^impressions_.*/, 'impressions')

/** By which of its columns a table is spread; null where all machines have it, or it is not spread. */
export const spreadBy = (table: string): string | null =>
  table in keyColumns ? (keyColumns[table] as string | null) : 'user_id'

function keyColumnOf(node: PlanNode): string | null {
  const table = tableOf(node)
  return !table || table.startsWith('pg_') ? null : spreadBy(table)
}

/** Adds to `keys` what the parts of a plan touched that ran. Rows that are changed or locked were read before. */
export function addKeys(plan: PlanNode, keys: Keys, numberOf: ColumnNumber): void {
  const same = sameIn(plan)
  for (const node of nodesOf(plan)) {
    const [table, column, isInsert] = [tableOf(node), keyColumnOf(node), node.Operation === 'Insert']
    if (!table || !column || !node['Actual Loops'] || (node.Operation && !isInsert)) continue
    const comparisons = isInsert ? added(node, numberOf(table, column)) : lookedUp(node, column)
    if (comparisons.length === 0) keys.everywhere.add(table)
    for (const [expression, times] of comparisons) {
      const known = same(expression)
      if (literals.test(known)) for (const value of valuesOf(known)) keys.named.add(value)
      else if (times === Number.POSITIVE_INFINITY) keys.everywhere.add(table)
      else keys.found.set(known, Math.max(times, keys.found.get(known) ?? 0))
    }
  }
}

/** How many keys that are at most, where everywhere is `machines`. */
export const countOf = ({ named, found, everywhere }: Keys, machines: number): number =>
  everywhere.size > 0 ? machines : [...found.values()].reduce((sum, times) => sum + times, named.size)
