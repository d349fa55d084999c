const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether a text can be the id of a row; anything else is simply unknown. */
export function isUuid(id: string): boolean {
  return uuid.test(id)
}
