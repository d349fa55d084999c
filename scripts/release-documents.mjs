import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from './bootstrap.mjs'

const whole = ['LICENSE', 'Containerfile', 'deploy']
const link = /\[([^[\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)/g

const documents = () => [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
]

/**
 * Copies the documents with the images they link to. Links to source files, which a release doesn't include, become
 * plain text.
 */
export function copyDocuments(folder) {
  for (const path of whole) cpSync(join(root, path), join(folder, path), { recursive: true })
  const all = documents()
  for (const document of all) {
    const text = readFileSync(join(root, document), 'utf8').replace(link, (found, words, target) => {
      if (target.includes('://')) return found
      const path = normalize(join(dirname(document), target))
      if (/^docs\/.*\.(webp|png|svg)$/.test(path)) cpSync(join(root, path), join(folder, path))
      return all.includes(path) || existsSync(join(folder, path)) || path === 'docs/decisions/' ? found : words
    })
    mkdirSync(dirname(join(folder, document)), { recursive: true })
    writeFileSync(join(folder, document), text)
  }
}
