import { describe, expect, it } from 'vitest'
import { createSecrets } from '../security/secrets.ts'
import { cutPage, openCursor, readTimedPosition, sealCursor, timedPosition } from './cursor.ts'

const secrets = createSecrets('a key of at least thirty-two bytes')

describe('A sealed cursor', () => {
  it('A sealed cursor opens for its own list', () => {
    expect(openCursor(secrets, 'list', sealCursor(secrets, 'list', ['1266', 7, null]))).toEqual(['1266', 7, null])
  })

  it('A sealed cursor reveals neither its position nor whether it repeats', () => {
    const [one, other] = [sealCursor(secrets, 'list', ['1266']), sealCursor(secrets, 'list', ['1266'])]
    expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('1266')
    expect(one).not.toBe(other)
  })

  it('A sealed cursor of another list or key, or one that was changed, cut or made up, is undefined', () => {
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

describe('A page of a list', () => {
  const rows = ['a', 'b', 'c'].map((id) => ({ id, at: new Date('2026-03-01T12:00:00Z') }))
  const positionOf = ({ at, id }: { at: Date; id: string }) => timedPosition(at, id)

  it('A page has a cursor for the next one while rows remain', () => {
    const { page, nextCursor } = cutPage(secrets, 'list', { rows, limit: 2, positionOf })
    expect(page.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(readTimedPosition(secrets, 'list', nextCursor ?? '')).toEqual({ at: '2026-03-01T12:00:00.000Z', id: 'b' })
  })

  it('The last page has no cursor', () => {
    expect(cutPage(secrets, 'list', { rows, limit: 3, positionOf })).toEqual({ page: rows, nextCursor: null })
    expect(cutPage(secrets, 'list', { rows: [], limit: 3, positionOf })).toEqual({ page: [], nextCursor: null })
    expect(readTimedPosition(secrets, 'list', undefined)).toBeUndefined()
  })
})
