import { relative } from 'node:path'
import { defineConfig, type Plugin } from 'vitest/config'
import { tags } from '../../../../../tools/vitest-tags.ts'
import { chosenHole } from './holes.ts'
import { root, withHole } from './patch.ts'
import { withHoleInProgram } from './programs.ts'

/** Applies the chosen vulnerability to sources as tests load them; the files on disk stay unchanged. */
function openHole(): Plugin {
  const hole = chosenHole()
  return {
    name: 'open-hole',
    enforce: 'pre',
    transform: async (text, id) => {
      if (!hole) return undefined
      const file = relative(root, id.split('?')[0] ?? '')
      const opened = withHole(hole, file, text)
      return (await withHoleInProgram(hole, file, opened ?? text)) ?? opened
    },
  }
}

/** `HOLE=name vitest run --config …`: runs server tests against a build with one vulnerability. */
export default defineConfig({
  root,
  plugins: [openHole()],
  test: {
    name: 'server',
    tags,
    include: ['server/src/**/*.test.ts'],
    environment: 'node',
    isolate: false,
    maxWorkers: 1,
    globalSetup: ['server/src/test/security/switchboard/open-hole.setup.ts'],
    // Shorter than in npm test: with a vulnerability, many tests wait in vain.
    testTimeout: 60_000,
    hookTimeout: 300_000,
    // biome-ignore lint/plugin/deadline: with a hole open, many tests wait in vain.
    expect: { poll: { timeout: 20_000 } },
  },
})
