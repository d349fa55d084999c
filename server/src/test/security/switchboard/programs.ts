import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'
import type { Hole } from './hole.ts'
import { filesOf, replaceOnce, root, withHole } from './patch.ts'

/** The source that starts the decoder process, and the source of that process, which tests don't load themselves. */
export const starter = 'server/src/platform/storage/decoders.ts'
const address = "new URL('../../cli/decode-files.ts', import.meta.url)"
const source = 'server/src/cli/decode-files.ts'
/** Inside the server folder, because the bundle imports the server's packages. */
const bundle = join(root, 'server/.cache/decode-files-with-a-hole.mjs')

function openIn(hole: Hole): Plugin {
  const files = new Set(filesOf(hole))
  return {
    name: 'open-hole',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const file = relative(root, path)
        const contents = files.has(file) && withHole(hole, file, readFileSync(path, 'utf8'))
        return contents ? { loader: 'ts', contents } : undefined
      }),
  }
}

/**
 * Builds the decoder process with the vulnerability and returns the changed source that starts it; undefined for every
 * other file.
 */
export async function withHoleInProgram(hole: Hole, file: string, text: string): Promise<string | undefined> {
  if (file !== starter) return undefined
  await build({
    ...{ entryPoints: [join(root, source)], outfile: bundle, bundle: true, format: 'esm', platform: 'node' },
    packages: 'external',
    alias: { '@duet/contract': join(root, 'contract/src') },
    plugins: [openIn(hole)],
  })
  return replaceOnce(text, { find: address, replace: `new URL('file://${bundle}')` }, starter)
}
