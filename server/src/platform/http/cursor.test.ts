import { describe, expect, it } from 'vitest'
import { createSecrets } from '../security/secrets.ts'
import { cutPage, openCursor, readTimedPosition, sealCursor, timedPosition } from './cursor.ts'

const secrets = createSecrets('a key of at least thirty-two bytes')

describe('a sealed cursor', () => {
  it('is read for its own list', () => {
    expect(openCursor(secrets, 'list', sealCursor(secrets, 'list', ['1266', 7, null]))).toEqual(['1266', 7, null])
  })

  it('tells nothing: neither the position, nor whether it is the same as before', () => {
    const [one, other] = [sealCursor(secrets, 'list', ['1266']), sealCursor(secrets, 'list', ['1266'])]
    expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('1266')
    expect(one).not.toBe(other)
  })

  it('is nothing for another list or under another key, changed, cut, or made up', () => {
    const cursor = sealCursor(secrets, 'list', ['1266'])
    const changed = Buffer.from(cursor, 'base64url')
    changed.writeUInt8(changed.readUInt8(30) ^ 1, 30)
    expect(openCursor(secrets, 'other list', cursor)).toBeUndefined()
    expect(openCursor(createSecrets('another key'), 'list', cursor)).toBeUndefined()
    for (const text of [
      changed.toString('base64url'),
      cursor.slice(0, -4),
      cursor.slice(0, 20),
      '',
      '1266',
      'x'.repeat(99),
    ])
      expect(openCursor(secrets, 'list', text)).toBeUndefined()
  })
})

describe('a page of a list', () => {
  const rows = ['a', 'b', 'c'].map((id) => ({ id, at: new Date('2026-03-01T12:00:00Z') }))
  const positionOf = ({ at, id }: { at: Date; id: string }) => timedPosition(at, id)

  it('leads on from its last row while there is one more', () => {
    const { page, nextCursor } = cutPage(secrets, 'list', { rows, limit: 2, positionOf })
    expect(page.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(readTimedPosition(secrets, 'list', nextCursor ?? '')).toEqual({ at: '2026-03-01T12:00:00.000Z', id: 'b' })
  })

  it('is the last one where there is no more', () => {
    expect(cutPage(secrets, 'list', { rows, limit: 3, positionOf })).toEqual({ page: rows, nextCursor: null })
    expect(cutPage(secrets, 'list', { rows: [], limit: 3, positionOf })).toEqual({ page: [], nextCursor: null })
    expect(readTimedPosition(secrets, 'list', undefined)).toBeUndefined()
  })
})
