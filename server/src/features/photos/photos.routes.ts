import { addImages, deleteImage, describePhoto as describe } from '@duet/contract/photos.ts'
import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../platform/platform.ts'
import type { Serve } from '../../platform/serve.ts'
import { SignedQuery } from '../../platform/signed-urls.ts'
import { blockOtherFormats } from './develop.ts'
import { WidthQuery } from './photo-files.ts'
import { addPhotos, deletePhoto, describePhoto, readPhoto } from './photos.ts'
import { filesOf } from './upload.ts'

const changes = { name: 'photo_changes', points: 60, seconds: 60 }

const MediaQuery = SignedQuery.extend({ w: WidthQuery })

const headers = {
  'content-type': 'image/webp',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'content-disposition': 'inline; filename="photo.webp"',
  'cache-control': 'private, max-age=300',
}

/** `onChanged` runs once somebody's photos are others than before. */
export function photoRoutes(
  serve: Serve,
  app: FastifyInstance,
  platform: Platform,
  onChanged: (ownerId: string) => Promise<void>,
): void {
  blockOtherFormats()
  serve(addImages, async ({ params }, { viewer, request }) => {
    // One form after the other: of one person, one file at a time is in memory.
    const photos = await platform.inOrder(`photos:${viewer.id}`, () =>
      addPhotos(platform, viewer.id, params.userId, filesOf(request)),
    )
    await onChanged(viewer.id)
    return photos
  })
  serve(deleteImage, async ({ body }, { viewer }) => {
    await platform.limits.spendHere(changes, viewer.id)
    const photos = await deletePhoto(platform, viewer.id, body.imageFileName)
    await onChanged(viewer.id)
    return photos
  })
  serve(describe, async ({ params, body }, { viewer }) => {
    await platform.limits.spendHere(changes, viewer.id)
    return describePhoto(platform, viewer.id, params.fileName, body.alt)
  })
  app.get<{ Params: { fileName: string } }>('/media/:fileName', async (request, reply) => {
    const { w: width, ...signed } = MediaQuery.parse(request.query)
    const bytes = await readPhoto(platform, { fileName: request.params.fileName, width, ...signed })
    return reply.headers(headers).send(bytes)
  })
}
