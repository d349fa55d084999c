import type { Pose } from '@duet/contract/verification.ts'

export type HandShape = 'open' | 'two' | 'three' | 'thumb' | 'fist' | 'point' | 'flat' | 'ring'

/** All fields are optional. By default, the face looks straight ahead. */
export interface PoseShape {
  /** In degrees, towards a shoulder. */
  tilt?: number
  /** How far the face is turned aside and up, in units of the drawing. */
  aside?: number
  up?: number
  eyes?: 'closed'
  mouth?: 'open' | 'none'
  cheeks?: 'puffed'
  /** The palm is at `x` and `y`, rotated by `turn` degrees. The arm extends below it. */
  hand?: { shape: HandShape; x: number; y: number; turn: number }
}

const hand = (shape: HandShape, x: number, y: number, turn = 0): PoseShape => ({ hand: { shape, x, y, turn } })

/** It doesn't matter on which side a hand is drawn. */
export const poseShapes: Record<Pose, PoseShape> = {
  open_hand_beside_face: hand('open', 170, 104, 10),
  two_fingers_up: hand('two', 166, 108, 6),
  three_fingers_up: hand('three', 166, 108, 6),
  thumb_up: hand('thumb', 164, 120, 4),
  fist_under_chin: hand('fist', 100, 160),
  finger_on_nose: hand('point', 116, 136, -10),
  finger_on_cheek: hand('point', 150, 130, -22),
  hand_on_head: hand('flat', 134, 33, -84),
  hand_on_forehead: hand('flat', 140, 74, -84),
  hand_over_eye: hand('flat', 128, 106, -8),
  hand_over_mouth: { ...hand('flat', 122, 136, -66), mouth: 'none' },
  hand_behind_ear: hand('flat', 154, 104, 16),
  ring_of_fingers: hand('ring', 166, 112, 6),
  look_up: { up: 17 },
  turn_head: { aside: 13 },
  tilt_head: { tilt: 20 },
  open_mouth: { mouth: 'open' },
  close_eyes: { eyes: 'closed' },
  puff_cheeks: { cheeks: 'puffed', mouth: 'none' },
  tilt_head_open_mouth: { tilt: 20, mouth: 'open' },
  turn_head_close_eyes: { aside: 13, eyes: 'closed' },
  look_up_open_mouth: { up: 17, mouth: 'open' },
}
