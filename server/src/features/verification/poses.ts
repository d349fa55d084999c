import { randomInt } from 'node:crypto'
import { Pose } from '@duet/contract/verification.ts'

/** For people who can't raise a hand, or don't want to. */
const handsFree: ReadonlySet<Pose> = new Set([
  'look_up',
  'turn_head',
  'tilt_head',
  'open_mouth',
  'close_eyes',
  'puff_cheeks',
  'tilt_head_open_mouth',
  'turn_head_close_eyes',
  'look_up_open_mouth',
])

/** A random pose other than `before`, so that nobody can prepare the picture. */
export function drawPose(isHandsFree: boolean, before: string | undefined): Pose {
  const choice = Pose.options.filter((pose) => handsFree.has(pose) === isHandsFree && pose !== before)
  return choice[randomInt(choice.length)] as Pose
}
