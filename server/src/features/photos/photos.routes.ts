import { addImages, deleteImage, describePhoto as describe } from '@duet/contract/photos.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Platform } from '../../platform/platform.ts'
import type { Serve } from '../../platform/serve.ts'
import { blockOtherFormats } from './develop.ts'
import { addPhotos, deletePhoto, describePhoto, readPhoto } from './photos.ts'
import { filesOf } from './upload.ts'

const MediaQuery = z.object({
  viewer: z.string().max(64).catch(''),
  expires: z.coerce.number<string>().int().catch(0),
  signature: z.string().max(64).catch(''),
  w: z
    .enum(['320', '640'])
    .optional()
    .catch(undefined)
    .transform((width) => (width ? (Number(width) as 320 | 640) : 1080)),
})

const headers = {
  'content-type': 'image/webp',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'content-disposition': 'inline; filename="photo.webp"',
  'cache-control': 'private, max-age=300',
}

export function photoRoutes(serve: Serve, app: FastifyInstance, platform: Platform): void {
  blockOtherFormats()
  serve(addImages, ({ params }, { viewer, request }) => addPhotos(platform, viewer.id, params.userId, filesOf(request)))
  serve(deleteImage, ({ body }, { viewer }) => deletePhoto(platform, viewer.id, body.imageFileName))
  serve(describe, ({ params, body }, { viewer }) => describePhoto(platform, viewer.id, params.fileName, body.alt))
  app.get<{ Params: { fileName: string } }>('/media/:fileName', async (request, reply) => {
    const { w: width, ...signed } = MediaQuery.parse(request.query)
    const bytes = await readPhoto(platform, { fileName: request.params.fileName, width, ...signed })
    return reply.headers(headers).send(bytes)
  })
}
