import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { UserId } from './ids.ts'
import { limits } from './limits.ts'
import { optionalLine } from './prose.ts'
import { rateLimits } from './rate-limits.ts'

/**
 * `url` is signed for the viewer, expires within an hour and serves the widest version; append `&w=320` or `&w=640` for
 * a narrower one. `width` and `height` are those of the widest version.
 */
export const Photo = z.object({
  fileName: z.string(),
  url: z.string(),
  alt: z.string(),
  width: z.int(),
  height: z.int(),
  blurhash: z.string(),
})
export type Photo = z.infer<typeof Photo>

export const ReviewState = z.enum(['pending', 'approved', 'rejected'])
export type ReviewState = z.infer<typeof ReviewState>
/** `visible` tells whether others can already see the photo. */
export const OwnPhoto = Photo.extend({ state: ReviewState, visible: z.boolean().optional() })
export type OwnPhoto = z.infer<typeof OwnPhoto>

export const OwnPhotos = z.object({ images: z.array(z.string()), photos: z.array(OwnPhoto) })
export type OwnPhotos = z.infer<typeof OwnPhotos>

export const PhotoAlt = optionalLine(limits.altLength)

export const addImages = endpoint({
  method: 'PATCH',
  path: '/api/user/:userId/image',
  summary:
    'Add photos: parts file, size, name for one; file with size_{index}, name_{index} for several. With `replaces`, one photo takes the place of that one, and its words.',
  access: 'member',
  params: z.object({ userId: UserId }),
  query: z.object({ replaces: z.string().max(255).optional() }),
  multipart: true,
  response: OwnPhotos,
  errors: ['not_found', 'photo_limit_reached', 'payload_too_large', 'unsupported_media_type', 'rate_limited'],
})

export const deleteImage = endpoint({
  method: 'PATCH',
  path: '/api/user/deleteImage',
  summary: 'Remove one of my photos, for everyone, immediately.',
  access: 'member',
  limit: rateLimits.photoChanges,
  body: z.strictObject({ imageFileName: z.string() }),
  response: OwnPhotos,
  errors: ['not_found', 'rate_limited'],
})

export const describePhoto = endpoint({
  method: 'PATCH',
  path: '/api/photos/:fileName',
  summary: 'Describe one of my photos in words, for people who cannot see it.',
  access: 'member',
  limit: rateLimits.photoChanges,
  params: z.object({ fileName: z.string() }),
  body: z.strictObject({ alt: PhotoAlt }),
  response: OwnPhotos,
  errors: ['not_found', 'rate_limited'],
})

export const photoEndpoints = [addImages, deleteImage, describePhoto] as const
