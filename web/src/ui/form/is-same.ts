const trimmed = (value: unknown) => JSON.stringify(value, (_, part) => (typeof part === 'string' ? part.trim() : part))
/** Whether two values are equal, ignoring white space around texts, which the server trims. */
export const isSame = (one: unknown, other: unknown) => trimmed(one) === trimmed(other)
