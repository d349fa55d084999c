import { contests, liveSeed, type MarketName } from './markets.ts'

// Simulates some seeds of one market: `market.process.ts NAME SEEDS CONTEST`. Sends each result as soon as it is ready.
const [name = 'sparse', seeds = '', contest = 'sparse'] = process.argv.slice(2)
for (const seed of seeds.split(','))
  process.send?.(liveSeed(name as MarketName, Number(seed), contests[contest as keyof typeof contests]))
process.disconnect?.()
