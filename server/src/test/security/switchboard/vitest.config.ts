import { relative } from 'node:path'
import { defineConfig, type Plugin } from 'vitest/config'
import { chosenHole } from './chosen.ts'
import { root, withHole } from './patch.ts'

/** Puts the chosen hole into the sources while tests load them; on disk nothing changes. */
function openHole(): Plugin {
  const hole = chosenHole()
  return {
    name: 'open-hole',
    enforce: 'pre',
    transform: (text, id) => hole && withHole(hole, relative(root, id.split('?')[0] ?? ''), text),
  }
}

/** `HOLE=name vitest run --config …`: tests of the server against a build with one hole in it. */
export default defineConfig({
  root,
  plugins: [openHole()],
  test: {
    name: 'server',
    include: ['server/src/**/*.test.ts'],
    environment: 'node',
    isolate: false,
    maxWorkers: 1,
    globalSetup: ['server/src/test/security/switchboard/open-hole.setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 120_000,
  },
})
