import { openHoles } from './open-holes.ts'

// open-holes [--changed] [name …]
const args = process.argv.slice(2)
const names = args.filter((arg) => !arg.startsWith('--'))
process.exit((await openHoles(names, args.includes('--changed'))) === 0 ? 0 : 1)
