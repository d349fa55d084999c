import { z } from 'zod'
import { promptIds } from './catalogue.ts'
import { Photo } from './photos.ts'

/** The one thing of a profile that is liked. */
export const LikedItem = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('photo'), fileName: z.string().max(64) }),
  z.strictObject({ kind: z.literal('prompt'), prompt: z.enum(promptIds) }),
])
export type LikedItem = z.infer<typeof LikedItem>

/** The liked thing as it was then: the photo while it is there, the answer as it read. */
export const LikedItemView = z.union([
  z.object({ kind: z.literal('photo'), photo: Photo.nullable() }),
  z.object({ kind: z.literal('prompt'), prompt: z.enum(promptIds), answer: z.string() }),
])
export type LikedItemView = z.infer<typeof LikedItemView>
