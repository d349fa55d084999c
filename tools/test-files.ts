import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const runners = {
  vitest: { folders: ['contract/src', 'server/src', 'web/src', 'bench/src'], name: /\.test\.tsx?$/ },
  playwright: { folders: ['e2e'], name: /\.spec\.ts$/ },
}
export type Runner = keyof typeof runners

const readsSize = /import \{[^}]*\b(?:isQuick|sized)\b[^}]*\} from '[./]*tools\/size\.ts'/

/** Whether a file leaves out, or makes short, something in `npm test`. */
export const isShortened = (path: string): boolean => readsSize.test(readFileSync(join(root, path), 'utf8'))

/** All files of a folder, by their paths from the root. */
export const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => !/(^|\/)(node_modules|dist[^/]*|\.cache)\//.test(path))

/** What `npm test` runs, short where a file asks for it. */
export const testFiles = (runner: Runner): string[] =>
  runners[runner].folders.flatMap(filesIn).filter((path) => runners[runner].name.test(path))

/** What `npm run test:long` runs, whole. */
export const longForms = (runner: Runner): string[] => testFiles(runner).filter(isShortened)
