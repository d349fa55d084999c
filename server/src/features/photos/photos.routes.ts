import { addImages, deleteImage, describePhoto as describe } from '@duet/contract/photos.ts'
import type { FastifyInstance } from 'fastify'
import type { Serve } from '../../platform/http/serve.ts'
import { sendStored } from '../../platform/http/stored-file.ts'
import type { Platform } from '../../platform/platform.ts'
import { SignedQuery } from '../../platform/security/signed-urls.ts'
import { WidthQuery } from './photo-files.ts'
import { addPhotos, deletePhoto, describePhoto, findPhoto } from './photos.ts'
import { filesOf } from './upload.ts'

const MediaQuery = SignedQuery.extend({ w: WidthQuery })

const headers = {
  'content-type': 'image/webp',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'content-disposition': 'inline; filename="photo.webp"',
  'cache-control': 'private, max-age=300',
}

export function photoRoutes(
  serve: Serve,
  app: FastifyInstance,
  platform: Platform,
  onChanged: (ownerId: string) => Promise<void>,
): void {
  serve(addImages, async ({ params, query }, { viewer, request }) => {
    // One request at a time per person, so that only one of their files is in memory.
    const photos = await platform.inOrder(`photos:${viewer.id}`, () =>
      addPhotos(platform, viewer.id, params.userId, filesOf(request), query.replaces),
    )
    await onChanged(viewer.id)
    return photos
  })
  serve(deleteImage, async ({ body }, { viewer }) => {
    const photos = await deletePhoto(platform, viewer.id, body.imageFileName)
    await onChanged(viewer.id)
    return photos
  })
  serve(describe, ({ params, body }, { viewer }) => describePhoto(platform, viewer.id, params.fileName, body.alt))
  app.get<{ Params: { fileName: string } }>('/media/:fileName', async (request, reply) => {
    const { w: width, ...signed } = MediaQuery.parse(request.query)
    const key = await findPhoto(platform, { fileName: request.params.fileName, width, ...signed })
    return sendStored(platform, reply, key, headers)
  })
}
