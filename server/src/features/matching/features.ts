/** What ranking may learn from. Whatever is not under one of these topics cannot be a feature. */
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

/** Words no feature may contain, under whatever topic: they tell of origin, faith, means, looks, or stand for them. */
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

/** `Name` itself when it may be learned from, never otherwise. */
export type Allowed<Name extends string> = Name extends `${Topic}.${string}`
  ? Lowercase<Name> extends `${string}${ForbiddenWord}${string}`
    ? never
    : Name
  : never

declare const allowed: unique symbol
/** The name of a feature that went through `allowFeatures`: the trainer takes no other. */
export type Feature<Name extends string = string> = Name & { readonly [allowed]: true }

function mayBeLearnedFrom(name: string): boolean {
  const [topic, rest] = name.split('.', 2)
  const lower = name.toLowerCase()
  return Boolean(rest) && topics.some((one) => one === topic) && !forbiddenWords.some((word) => lower.includes(word))
}

/**
 * The only way to make features. A name outside the list does not compile; one that only shows when the program runs
 * (a stored model) throws a TypeError.
 */
export function allowFeatures<const Names extends readonly string[]>(
  names: Names & { readonly [Place in keyof Names]: Names[Place] extends string ? Allowed<Names[Place]> : never },
): readonly Feature<Names[number]>[] {
  return requireFeatures(names as Names) as readonly Feature<Names[number]>[]
}

/** The same for names from outside the program. Throws a TypeError for a name that may not be learned from. */
export function requireFeatures(names: readonly string[]): readonly Feature[] {
  const refused = names.find((name) => !mayBeLearnedFrom(name))
  if (refused !== undefined) throw new TypeError(`${refused} may not be learned from`)
  if (new Set(names).size !== names.length) throw new TypeError('a feature is there twice')
  return names as readonly Feature[]
}
