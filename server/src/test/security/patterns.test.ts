import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkSync } from 'recheck'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const shipped = ['contract/src', 'server/src', 'web/src']

interface Source {
  path: string
  tree: ts.SourceFile
}

function sourcesOf(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.|\.test-|(^|\/)test\//.test(path))
    .map((path) => {
      const file = join(root, folder, path)
      const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
      return { path: relative(root, file), tree }
    })
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  node.forEachChild((child) => walk(child, visit))
}

function patternsIn({ tree }: Source): string[] {
  const found: string[] = []
  walk(tree, (node) => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text)
  })
  return found
}

/** Patterns that are superlinear or not supported by the checker but only match short texts; each with the reason. */
const ofShortTexts: Record<string, string> = {
  '/^\\p{RGI_Emoji}$/v': 'one class between two anchors; the checker does not know the flag',
  '/\\/+$/': 'PUBLIC_URL, of the operator',
  '/\\.+$/': 'our own messages',
  '/(?:"((?:[^"\\\\]|\\\\["\\\\$`])*)"|\'([^\'\\\\]*)\'|([^\\s"\'\\\\]+))(?=\\s|$)/g':
    'a line of the unit, of the operator',
  '/^\\s*(User|Environment|EnvironmentFile)=.*%/m': 'the same',
  '/<meta name="duet-demo"[^>]*>/': 'our own page',
  '/<meta name="duet-oidc"[^>]*>/': 'the same',
  '/[\\s.]+$/': 'an answer of 300 characters at most, in the browser',
  '/[\\s.,;:–-]+$/': 'the same, cut to a quote',
}

/** Files that build patterns at run time, from our own words or from escaped ones. */
const madeOfWords = [
  'contract/src/folded-text.ts',
  'contract/src/hidden-words.ts',
  'contract/src/text-signals.ts',
  'server/src/demo/mail-page.ts',
  'server/src/features/places/place-keys.ts',
]

function madePatternsIn({ path, tree }: Source): string[] {
  const found: string[] = []
  walk(tree, (node) => {
    const isMade = (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp'
    if (isMade) found.push(path)
  })
  return found
}

/** Describes how a text can make the pattern slow; undefined if no text can. */
function slownessOf(pattern: string): string | undefined {
  const [, source = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(pattern) ?? []
  // No timeout: on a busy machine, it would reject fast patterns.
  const { status, ...rest } = checkSync(source, flags, { timeout: null })
  if (status === 'safe') return undefined
  const summary = 'complexity' in rest ? rest.complexity?.summary : undefined
  return `${pattern}: ${status} ${summary ?? JSON.stringify(rest)}`
}

const sources = shipped.flatMap(sourcesOf)
const patterns = [...new Set(sources.flatMap(patternsIn))]

describe('patterns that match strangers’ texts', () => {
  it('The check finds all patterns.', () => {
    expect(sources.length).toBeGreaterThan(300)
    expect(patterns.length).toBeGreaterThan(60)
  })

  it('Every pattern takes linear time, except on short texts.', { tags: 'long' }, () => {
    const others = patterns.filter((pattern) => !(pattern in ofShortTexts))
    expect(others.map(slownessOf).filter(Boolean)).toEqual([])
    expect(Object.keys(ofShortTexts).filter((pattern) => !patterns.includes(pattern))).toEqual([])
  })

  it('Every pattern is known before run time.', () => {
    const made = sources.filter(({ path }) => !path.startsWith('web/')).flatMap(madePatternsIn)
    expect([...new Set(made)]).toEqual(madeOfWords)
  })

  it('The check recognises slow patterns.', () => {
    expect(slownessOf('/^(a+)+$/')).toContain('exponential')
    expect(slownessOf('/\\s+$/')).toContain('polynomial')
  })
})

describe('chance', () => {
  it('Random numbers come from the operating system, never from Math.random.', () => {
    const used: string[] = []
    for (const { path, tree } of sources.filter(({ path }) => path.startsWith('server/')))
      walk(tree, (node) => {
        if (ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random') used.push(path)
      })
    expect(used).toEqual([])
  })
})
