import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../database.ts'
import { holes } from './holes.ts'
import { filesOf, openInDatabase, root, withHole } from './patch.ts'

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** The test titles in a file as patterns, in which placeholders match anything. */
function titlesIn(file: string): RegExp[] {
  const titles: RegExp[] = []
  const visit = (node: ts.Node): void => {
    node.forEachChild(visit)
    const [title] = ts.isCallExpression(node) ? node.arguments : []
    if (
      !title ||
      !ts.isStringLiteralLike(title) ||
      !/^(it|test)\b/.test((node as ts.CallExpression).expression.getText())
    )
      return
    titles.push(
      new RegExp(
        `${title.text
          .split(/%[sjdif]/)
          .map(literal)
          .join('.+')}$`,
      ),
    )
  }
  visit(ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true))
  return titles
}

describe('holes that can be opened', () => {
  it('There are at least eighty holes, each with a unique name.', () => {
    expect(holes.length).toBeGreaterThanOrEqual(80)
    expect(new Set(holes.map(({ name }) => name)).size).toBe(holes.length)
  })

  it('Every hole matches the current sources.', () => {
    const faults = holes.flatMap((hole) =>
      filesOf(hole).flatMap((file) => {
        try {
          return withHole(hole, file) === undefined ? [`${hole.name} leaves ${file} as it is`] : []
        } catch (error) {
          return (error as Error).message
        }
      }),
    )
    expect(faults).toEqual([])
  })

  it('Every hole matches the current database.', { tags: 'long' }, async () => {
    const database = await createTestDatabase()
    const owner = new pg.Client(database.config)
    await owner.connect()
    try {
      for (const hole of holes) {
        await owner.query('begin')
        await openInDatabase(owner, hole)
        await owner.query('rollback')
      }
    } finally {
      await owner.end()
      await database.drop()
    }
  })

  it('Every hole names existing tests.', { tags: 'long' }, () => {
    const missing = holes.flatMap(({ name, caughtBy }) =>
      caughtBy.flatMap(({ file, test, stands }) => {
        const titles = titlesIn(file)
        return [test, stands].filter((one) => !titles.some((title) => title.test(one))).map((one) => `${name}: ${one}`)
      }),
    )
    expect(missing).toEqual([])
  })
})
