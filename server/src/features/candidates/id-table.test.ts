import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createIdTable, idAt, placeFor, placeForMore, placeOf, readBytes, readId } from './id-table.ts'

const words = new Uint32Array(4)

describe('a table of ids', () => {
  it('an id table gives each id one place in order of arrival, and returns the id of a place', () => {
    const ids = Array.from({ length: 5_000 }, () => randomUUID() as string)
    const table = createIdTable(5_000)
    for (const [place, id] of [...ids, ...ids].entries()) expect(placeFor(table, readId(id, words))).toBe(place % 5_000)
    for (const [place, id] of ids.entries()) {
      expect(placeOf(table, readId(id, words))).toBe(place)
      expect(idAt(table, place)).toBe(id)
    }
  })

  it('an id table finds no other ids, and adds none beyond its capacity', () => {
    const table = createIdTable(3)
    for (let n = 0; n < 3; n++) expect(placeFor(table, readId(randomUUID(), words))).toBe(n)
    expect(placeOf(table, readId(randomUUID(), words))).toBe(-1)
    expect(placeFor(table, readId(randomUUID(), words))).toBe(-1)
    expect(table.count).toBe(3)
  })

  it('an id table keeps all its places when it grows', () => {
    const ids = Array.from({ length: 5_000 }, () => randomUUID() as string)
    const table = createIdTable(3)
    for (const [place, id] of ids.entries()) expect(placeForMore(table, readId(id, words))).toBe(place)
    for (const [place, id] of ids.entries()) expect(placeForMore(table, readId(id, words))).toBe(place)
    expect(ids.map((id) => placeOf(table, readId(id, words)))).toEqual([...ids.keys()])
  })

  it('an id reads the same from bytes as from text', () => {
    const id = '00ff8001-0203-4405-8607-f8090a0b0c0d'
    const bytes = Buffer.concat([Buffer.alloc(16), Buffer.from(id.replaceAll('-', ''), 'hex')])
    expect([...readBytes(bytes, 16, new Uint32Array(4))]).toEqual([...readId(id, words)])
  })
})
