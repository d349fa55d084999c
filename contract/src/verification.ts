import { z } from 'zod'
import { Claim } from './claims.ts'
import { endpoint } from './endpoint.ts'
import { Cursor, Done, Timestamp, UserId } from './ids.ts'
import { Photo } from './photos.ts'
import { rateLimits } from './rate-limits.ts'

/**
 * The poses in the second half of the list need no hand. No pose depends on left or right, because selfies are
 * mirrored.
 */
export const Pose = z.enum([
  'open_hand_beside_face',
  'two_fingers_up',
  'three_fingers_up',
  'thumb_up',
  'fist_under_chin',
  'finger_on_nose',
  'finger_on_cheek',
  'hand_on_head',
  'hand_on_forehead',
  'hand_over_eye',
  'hand_over_mouth',
  'hand_behind_ear',
  'ring_of_fingers',
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
export type Pose = z.infer<typeof Pose>

export const VerificationReason = z.enum(['not_same', 'wrong_pose', 'unclear', 'not_alone', 'other'])
export type VerificationReason = z.infer<typeof VerificationReason>

/** `pose` and `expiresAt` are set in state `asked`, `reason` in `rejected`, and `verifiedAt` in `approved`. */
export const Verification = z.object({
  state: z.enum(['none', 'asked', 'waiting', 'approved', 'rejected']),
  pose: Pose.optional(),
  expiresAt: Timestamp.optional(),
  reason: VerificationReason.optional(),
  verifiedAt: Timestamp.optional(),
})
export type Verification = z.infer<typeof Verification>

export const getVerification = endpoint({
  method: 'GET',
  path: '/api/verification',
  summary: 'How far my verification is.',
  access: 'member',
  response: Verification,
})

export const startVerification = endpoint({
  method: 'POST',
  path: '/api/verification',
  summary: 'Ask for a pose to take a selfie in, within ten minutes; five times a week. Needs a photo to compare with.',
  access: 'member',
  body: z.strictObject({ handsFree: z.boolean().default(false) }),
  status: 201,
  response: Verification,
  errors: ['conflict', 'rate_limited'],
})

export const sendSelfie = endpoint({
  method: 'PUT',
  path: '/api/verification/selfie',
  summary: 'Send the selfie: one part, file. Only administrators see it, until one of them has decided.',
  access: 'member',
  limit: rateLimits.selfieUploads,
  multipart: true,
  response: Verification,
  errors: ['conflict', 'payload_too_large', 'unsupported_media_type', 'rate_limited'],
})

export const takeBackVerification = endpoint({
  method: 'DELETE',
  path: '/api/verification',
  summary: 'Withdraw my verification: the waiting selfie is deleted, a badge is given up.',
  access: 'member',
  limit: rateLimits.verificationTakeBacks,
  response: Done,
  errors: ['rate_limited'],
})

/** A person waiting to be verified. Their main photo comes first in `photos`. Each `url` is signed for the reviewer. */
export const VerificationForReview = z.object({
  id: z.string(),
  pose: Pose,
  submittedAt: Timestamp,
  user: z.object({ id: UserId, name: z.string() }),
  photos: z.array(Photo),
  claim: Claim.nullable(),
})
export type VerificationForReview = z.infer<typeof VerificationForReview>

export const listVerifications = endpoint({
  method: 'GET',
  path: '/api/admin/verifications',
  summary: 'People who wait to be verified, oldest first; never oneself.',
  access: 'admin',
  query: z.object({ cursor: Cursor.optional(), limit: z.coerce.number<number>().int().min(1).max(50).default(20) }),
  response: z.object({ verifications: z.array(VerificationForReview), nextCursor: Cursor.nullable() }),
})

export const lookAtSelfie = endpoint({
  method: 'GET',
  path: '/api/admin/verifications/:id/selfie',
  summary:
    'The selfie of someone who is waiting, as a data URL, taken for ten minutes. It has no address; looks are on record.',
  access: 'admin',
  limit: rateLimits.verificationReviews,
  params: z.object({ id: z.string() }),
  response: z.object({ selfie: z.string() }),
  errors: ['not_found', 'forbidden', 'conflict', 'rate_limited'],
})

export const decideVerification = endpoint({
  method: 'PATCH',
  path: '/api/admin/verifications/:id',
  summary: 'Approve or reject, with a reason. The selfie is deleted, and its person told. Never oneself.',
  access: 'admin',
  limit: rateLimits.verificationReviews,
  params: z.object({ id: z.string() }),
  body: z.strictObject({ decision: z.enum(['approved', 'rejected']), reason: VerificationReason.optional() }),
  response: Done,
  errors: ['not_found', 'forbidden', 'conflict', 'rate_limited'],
})

export const verificationEndpoints = [
  getVerification,
  startVerification,
  sendSelfie,
  takeBackVerification,
  listVerifications,
  lookAtSelfie,
  decideVerification,
] as const
