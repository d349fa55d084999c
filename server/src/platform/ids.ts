const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Checks the form of an id. Other texts are treated as unknown ids, not as errors. */
export function isUuid(id: string): boolean {
  return uuid.test(id)
}
