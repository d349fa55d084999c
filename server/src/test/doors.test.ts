import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, it } from 'vitest'
import doors from '../../doors.json' with { type: 'json' }

const source = join(import.meta.dirname, '..')
const texts = ['features', 'demo'].flatMap((folder) =>
  readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => posix.join(folder, file.replaceAll('\\', '/')))
    .filter((file) => file.endsWith('.ts') && !/[.]test[.]ts$|[.]test-/.test(file))
    .map((file) => [file, readFileSync(join(source, file), 'utf8')] as const),
)

it('Every public module of a feature exists and is imported by another feature or the demo.', () => {
  const entered = new Set(
    texts.flatMap(([file, text]) =>
      [...text.matchAll(/from '([.][^']+)'/g)]
        .map(([, path = '']) => posix.join(posix.dirname(file), path))
        .filter((path) => posix.dirname(path) !== posix.dirname(file)),
    ),
  )
  const listed = Object.entries(doors).flatMap(([noun, rooms]) => rooms.map((room) => `features/${noun}/${room}.ts`))
  expect(listed.filter((door) => !entered.has(door) || !texts.some(([file]) => file === door))).toEqual([])
})
