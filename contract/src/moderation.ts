import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Cursor, Done, Timestamp, UserId } from './ids.ts'
import { Photo, ReviewState } from './photos.ts'

export const PhotoForReview = z.object({
  photo: Photo,
  state: ReviewState,
  owner: z.object({ id: UserId, name: z.string() }),
  uploadedAt: Timestamp,
})
export type PhotoForReview = z.infer<typeof PhotoForReview>

export const listPhotosForReview = endpoint({
  method: 'GET',
  path: '/api/admin/photos',
  summary: 'Photos that nobody has reviewed yet, oldest first.',
  access: 'admin',
  query: z.object({ cursor: Cursor.optional(), limit: z.coerce.number<number>().int().min(1).max(50).default(24) }),
  response: z.object({ photos: z.array(PhotoForReview), nextCursor: Cursor.nullable() }),
})

export const reviewPhoto = endpoint({
  method: 'PATCH',
  path: '/api/admin/photos/:fileName',
  summary: 'Approve or reject a photo; its owner is told.',
  access: 'admin',
  params: z.object({ fileName: z.string() }),
  body: z.strictObject({ state: z.enum(['approved', 'rejected']) }),
  response: Done,
  errors: ['not_found', 'conflict'],
})

export const moderationEndpoints = [listPhotosForReview, reviewPhoto] as const
