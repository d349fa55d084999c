import type { Program } from '../stage.ts'
import { abuse, slowReader } from './abuse.ts'
import { betweenCommitAndAck, killed, rollingRestart } from './crashes.ts'
import { cutOff, lateAnswers, storm } from './network.ts'
import { away, shutOut, tabs } from './people.ts'
import { bothOpen, duplicates, skewedClocks } from './same.ts'
import { databaseLost, redisLost, slowCommit } from './stores.ts'

/** Every fault, in the order it is played. */
export const programs: readonly Program[] = [
  killed,
  betweenCommitAndAck,
  databaseLost,
  redisLost,
  cutOff,
  duplicates,
  lateAnswers,
  tabs,
  skewedClocks,
  shutOut,
  storm,
  slowReader,
  abuse,
  rollingRestart,
  away,
  bothOpen,
  slowCommit,
]
