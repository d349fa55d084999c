export interface Someone {
  live: boolean
  fresh: boolean
  banned: boolean
  leaving: boolean
  /** Has set a location. */
  placed: boolean
  photos: number
  reported: Set<number>
}

/** A minimal model of Duet: people identified by number, with their blocks and messages. */
export interface Model {
  people: Someone[]
  blocks: Set<string>
  said: Map<string, string[]>
}

export const newcomer = (): Someone => ({
  ...{ live: true, fresh: true, banned: false, leaving: false, placed: false, photos: 0 },
  reported: new Set(),
})

export const emptyModel = (): Model => ({ people: [], blocks: new Set(), said: new Map() })

export const pairOf = (a: number, b: number): string => `${Math.min(a, b)} ${Math.max(a, b)}`
export const isBlocked = ({ blocks }: Model, a: number, b: number): boolean =>
  blocks.has(`${a} ${b}`) || blocks.has(`${b} ${a}`)

export const exists = ({ people }: Model, a: number): boolean => people[a] !== undefined
const isThere = ({ people }: Model, a: number): boolean => {
  const one = people[a]
  return one !== undefined && !one.banned && !one.leaving
}

export const acts = (model: Model, a: number): boolean => isThere(model, a) && model.people[a]?.live === true
export const sees = (model: Model, a: number, b: number): boolean =>
  a !== b && isThere(model, b) && !isBlocked(model, a, b)

/** The exact set of people that a person must find nearby. */
export function nearOf(model: Model, a: number): number[] {
  return model.people.flatMap((other, b) => (other.placed && sees(model, a, b) ? [b] : []))
}

/** The people with whom a person must have conversations, and the messages in them. */
export function talksOf(model: Model, a: number): Map<number, string[]> {
  const talks = model.people.map((_, b) => [b, model.said.get(pairOf(a, b)) ?? []] as const)
  return new Map(talks.filter(([b, texts]) => texts.length > 0 && sees(model, a, b)))
}
