import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { faultsOfNouns, nounsPath, withNouns } from '../../../tools/nouns.ts'

it('Every noun missing on one side has an explanation.', () => {
  expect(faultsOfNouns()).toEqual([])
})

it('The noun matrix in the documentation is up to date.', () => {
  const document = readFileSync(join(import.meta.dirname, '../../..', nounsPath), 'utf8')
  expect(document, 'run npm run docs:nouns').toBe(withNouns(document))
})
