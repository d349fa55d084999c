import { describe, expect, it } from 'vitest'
import { openCursor, sealCursor } from './cursor.ts'
import { createSecrets } from './secrets.ts'

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
