import { z } from 'zod'
import { promptIds } from './catalogue.ts'
import { Photo } from './photos.ts'

export const LikedItem = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('photo'), fileName: z.string().max(64) }),
  z.strictObject({ kind: z.literal('prompt'), prompt: z.enum(promptIds) }),
])
export type LikedItem = z.infer<typeof LikedItem>

/** The liked item at the time of the like: the photo if it still exists, or the answer as it was then. */
export const LikedItemView = z.union([
  z.object({ kind: z.literal('photo'), photo: Photo.nullable() }),
  z.object({ kind: z.literal('prompt'), prompt: z.enum(promptIds), answer: z.string() }),
])
export type LikedItemView = z.infer<typeof LikedItemView>
