/**
 * Numbers 128-bit ids from 0 upwards; the number of an id is called its place. Takes 24 bytes per id. A map of strings
 * takes more than a hundred, and the garbage collector has to visit every string.
 */
export interface IdTable {
  /** The ids by place, four 32-bit words each. */
  words: Uint32Array
  /** An open-addressing hash table. Each slot contains a place plus 1, or 0 if empty. */
  slots: Uint32Array
  count: number
}

export function createIdTable(capacity: number): IdTable {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(capacity, 8) * 1.25))
  return { words: new Uint32Array(capacity * 4), slots: new Uint32Array(slots), count: 0 }
}

/** An id as four 32-bit words. */
export type Words = Uint32Array

export function readId(id: string, into: Words): Words {
  into[0] = Number.parseInt(id.slice(0, 8), 16)
  into[1] = Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16)
  into[2] = Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16)
  into[3] = Number.parseInt(id.slice(28, 36), 16)
  return into
}

export function readBytes(bytes: Buffer, offset: number, into: Words): Words {
  for (let word = 0; word < 4; word++) into[word] = bytes.readUInt32BE(offset + word * 4)
  return into
}

/** The slot of `id`, or the empty slot where it would be added. */
function slotOf({ words, slots }: IdTable, id: Words): number {
  const mask = slots.length - 1
  let mixed = Math.imul(id[0]! ^ id[3]!, 0x9e3779b1) ^ Math.imul(id[1]! ^ id[2]!, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  for (let slot = (mixed ^ (mixed >>> 13)) & mask; ; slot = (slot + 1) & mask) {
    const place = slots[slot]! - 1
    if (place < 0) return slot
    const at = place * 4
    if (words[at + 3] === id[3] && words[at + 2] === id[2] && words[at + 1] === id[1] && words[at] === id[0])
      return slot
  }
}

export const placeOf = (table: IdTable, id: Words): number => table.slots[slotOf(table, id)]! - 1

/** The place of an id, which is added if it is new; -1 if the table is full. */
export function placeFor(table: IdTable, id: Words): number {
  const slot = slotOf(table, id)
  const place = table.slots[slot]! - 1
  if (place >= 0) return place
  if ((table.count + 1) * 4 > table.words.length) return -1
  table.words.set(id, table.count * 4)
  table.slots[slot] = ++table.count
  return table.count - 1
}

/** Like `placeFor`, but doubles a full table. That replaces the table's arrays. */
export function placeForMore(table: IdTable, id: Words): number {
  const place = placeFor(table, id)
  if (place >= 0) return place
  const wider = createIdTable(table.count * 2)
  for (let at = 0; at < table.words.length; at += 4) placeFor(wider, table.words.subarray(at, at + 4))
  Object.assign(table, wider)
  return placeFor(table, id)
}

const hex = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, '0'))

export function idAt({ words }: IdTable, place: number): string {
  const at = place * 4
  const [one, two, three, four] = [words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!]
  return `${hex[one >>> 16]}${hex[one & 65_535]}-${hex[two >>> 16]}-${hex[two & 65_535]}-${hex[three >>> 16]}-${hex[three & 65_535]}${hex[four >>> 16]}${hex[four & 65_535]}`
}
