import type { Program } from '../stage.ts'
import { abuse, slowReader } from './abuse.ts'
import { nodesApart } from './clocks.ts'
import { betweenCommitAndAck, killed, rollingRestart } from './crashes.ts'
import { crowded } from './crowd.ts'
import { deafLines, frozenDatabase, frozenNode } from './freezes.ts'
import { cutOff, lateAnswers, storm } from './network.ts'
import { away, shutOut, tabs } from './people.ts'
import { bothOpen, duplicates, skewedClocks } from './same.ts'
import { databaseLost, hardStart, redisLost, slowCommit } from './stores.ts'

export const freezes: readonly Program[] = [frozenNode, frozenDatabase, deafLines]

export const programs: readonly Program[] = [
  killed,
  betweenCommitAndAck,
  databaseLost,
  hardStart,
  redisLost,
  cutOff,
  ...freezes,
  duplicates,
  lateAnswers,
  tabs,
  skewedClocks,
  nodesApart,
  shutOut,
  crowded,
  storm,
  slowReader,
  abuse,
  rollingRestart,
  away,
  bothOpen,
  slowCommit,
]
