import { parseArgs } from 'node:util'
import { type Figure, reportBeside } from '../../tools/report.ts'
import { measureKeys } from './scale/keys.ts'
import { measurePushes } from './scale/pushes.ts'
import { measureRegions } from './scale/regions.ts'

/*
 * S1: how many keys the statements touch that are asked all the time. S2: what nodes hear of each push as they become
 * more. S3: decks of more people than one node has memory for, by three nodes of which each keeps its part of them.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    people: { type: 'string', default: '5000000' },
    'keep-in': { type: 'string' },
  },
})

const parts: Record<string, () => Promise<Figure[]>> = {
  keys: measureKeys,
  pushes: measurePushes,
  regions: () => measureRegions({ people: Number(values.people), keepIn: values['keep-in'] }),
}
for (const [name, measure] of Object.entries(parts))
  if (values.only === undefined || values.only === name) reportBeside('scale', await measure())
