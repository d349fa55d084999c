import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** Paths that needn't exist: generated files, and the fictional feature in the guide. */
const notHere = /^(bench\/results|server\/(dist|\.cache))|\/calls[/.]/
const named = /`((?:bench|contract|deploy|e2e|scripts|server|tools|web)\/[\w./-]*)`/g

it('Every file and folder named in the documentation exists.', () => {
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

const markdownIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && !path.includes('node_modules'),
  )

const brokenIn = (folder: string, documents: string[]) =>
  documents.flatMap((document) =>
    [...readFileSync(join(folder, document), 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)\s]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !target.includes('://') && !existsSync(join(folder, dirname(document), target)))
      .map((target) => `${document}: ${target}`),
  )

it('Every link works here and in a release, which contains all documents and the files they tell people to copy.', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duet-documents-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const code = `(await import('./scripts/release-documents.mjs')).copyDocuments(${JSON.stringify(folder)})`
  execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root })
  const released = markdownIn(folder)
  expect(brokenIn(root, released)).toEqual([])
  expect(brokenIn(folder, released)).toEqual([])
  expect(released.filter((path) => path.startsWith('docs/')).sort()).toEqual(
    markdownIn(join(root, 'docs'))
      .map((path) => join('docs', path))
      .sort(),
  )
  for (const path of ['deploy/duet.service', 'deploy/prometheus/duet.rules.yml', 'deploy/Caddyfile'])
    expect(existsSync(join(folder, path)), path).toBe(true)
})
