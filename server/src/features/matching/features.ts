/** The topics that ranking may learn from. Every feature belongs to one of them. */
export const topics = [
  'age',
  'distance',
  'interests',
  'intents',
  'facts',
  'languages',
  'questions',
  'preferences',
  'activity',
  'field',
  'self',
  'outings',
] as const
export type Topic = (typeof topics)[number]

/** Words that no feature name may contain: they concern origin, faith, wealth or looks, or are proxies for them. */
export const forbiddenWords = [
  'race',
  'ethnic',
  'skin',
  'religio',
  'faith',
  'name',
  'zip',
  'neighbourhood',
  'income',
  'school',
  'photo',
  'device',
] as const
type ForbiddenWord = (typeof forbiddenWords)[number]

export type Allowed<Name extends string> = Name extends `${Topic}.${string}`
  ? Lowercase<Name> extends `${string}${ForbiddenWord}${string}`
    ? never
    : Name
  : never

declare const allowed: unique symbol
/** A feature name that passed `allowFeatures`: the trainer accepts no others. */
export type Feature<Name extends string = string> = Name & { readonly [allowed]: true }

function mayBeLearnedFrom(name: string): boolean {
  const [topic, rest] = name.split('.', 2)
  const lower = name.toLowerCase()
  return Boolean(rest) && topics.some((one) => one === topic) && !forbiddenWords.some((word) => lower.includes(word))
}

/**
 * The only way to create features. A literal name that isn't allowed doesn't compile; a name that is only known at
 * runtime, such as in a stored model, throws a TypeError.
 */
export function allowFeatures<const Names extends readonly string[]>(
  names: Names & { readonly [Place in keyof Names]: Names[Place] extends string ? Allowed<Names[Place]> : never },
): readonly Feature<Names[number]>[] {
  return requireFeatures(names as Names) as readonly Feature<Names[number]>[]
}

/** Like `allowFeatures`, for names known only at runtime. Throws a TypeError for a name that isn't allowed. */
export function requireFeatures(names: readonly string[]): readonly Feature[] {
  const refused = names.find((name) => !mayBeLearnedFrom(name))
  if (refused !== undefined) throw new TypeError(`${refused} may not be learned from`)
  if (new Set(names).size !== names.length) throw new TypeError('a feature is there twice')
  return names as readonly Feature[]
}
