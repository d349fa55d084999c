import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** What is made by commands, and the feature that the guide makes up. */
const notHere = /^(bench\/results|server\/(dist|\.cache))|\/calls[/.]/
const named = /`((?:bench|contract|deploy|e2e|scripts|server|tools|web)\/[\w./-]*)`/g

it('documents name files and folders that there are', () => {
  const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path))
  const missing = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...documents].flatMap((document) =>
    [...readFileSync(join(root, document), 'utf8').matchAll(named)]
      .map(([, path = '']) => path)
      .filter((path) => !notHere.test(path) && !existsSync(join(root, path)))
      .map((path) => `${document}: ${path}`),
  )
  expect(missing).toEqual([])
})
