import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { VerificationForReview, VerificationReason } from '@duet/contract/verification.ts'
import sharp from 'sharp'
import type { TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'

export function jpeg(width = 240, height = 300): Promise<Buffer> {
  const noise = { type: 'gaussian', sigma: 30, mean: 120 } as const
  return sharp({ create: { width, height, channels: 3, background: '#a63', noise } })
    .jpeg()
    .toBuffer()
}

function form(bytes: Buffer): FormData {
  const data = new FormData()
  data.append('file', new Blob([new Uint8Array(bytes)]), 'selfie.jpg')
  return data
}

export async function addPhoto(who: Person): Promise<string> {
  const { status, body } = await who.call('PATCH /api/user/:userId/image', {
    params: { userId: who.id },
    form: form(await jpeg()),
  })
  if (status !== 200) throw new Error(`no photo: ${JSON.stringify(body)}`)
  return body.images.at(-1) as string
}

export const start = (who: Person, handsFree = false) => who.call('POST /api/verification', { body: { handsFree } })
export const stateOf = async (who: Person) => (await who.call('GET /api/verification')).body
export const send = async (who: Person, bytes?: Buffer) =>
  who.call('PUT /api/verification/selfie', { form: form(bytes ?? (await jpeg())) })

export async function shown(app: TestApp, name = 'Mina'): Promise<Person> {
  const who = await person(app, { name })
  await addPhoto(who)
  return who
}

export async function waiting(app: TestApp, name?: string): Promise<Person> {
  const who = await shown(app, name)
  await start(who)
  const { status, body } = await send(who)
  if (status !== 200) throw new Error(`no selfie: ${JSON.stringify(body)}`)
  return who
}

export async function reviewer(app: TestApp): Promise<Person> {
  const admin = await person(app, { name: 'Ada' })
  await app.platform.grantSuperAdmin(admin.email)
  return admin
}

export async function queue(admin: Person, limit = 50): Promise<VerificationForReview[]> {
  const all: VerificationForReview[] = []
  let cursor: string | null = null
  do {
    const query: { limit: number; cursor?: string } = { limit, ...(cursor && { cursor }) }
    const { body } = await admin.call('GET /api/admin/verifications', { query })
    all.push(...body.verifications)
    cursor = body.nextCursor
  } while (cursor)
  return all
}

export async function requestOf(admin: Person, who: Person): Promise<VerificationForReview> {
  const found = (await queue(admin)).find(({ user }) => user.id === who.id)
  if (!found) throw new Error(`${who.name} does not wait`)
  return found
}

export const look = (admin: Person, id: string) =>
  admin.call('GET /api/admin/verifications/:id/selfie', { params: { id } })
export const decide = (
  admin: Person,
  id: string,
  decision: 'approved' | 'rejected' = 'approved',
  reason?: VerificationReason,
) => admin.call('PATCH /api/admin/verifications/:id', { params: { id }, body: { decision, ...(reason && { reason }) } })

export async function verified(app: TestApp, admin: Person): Promise<Person> {
  const who = await waiting(app)
  const { id } = await requestOf(admin, who)
  const { status, body } = await decide(admin, id)
  if (status !== 200) throw new Error(`not approved: ${JSON.stringify(body)}`)
  return who
}

export const hasBadge = async (who: Person) => (await who.call('GET /api/user/myDetails')).body.verified
export const toldOf = async (who: Person) =>
  (await who.call('GET /api/notifications')).body.notifications.filter(({ kind }) => kind.startsWith('verification_'))

export async function selfieFiles(app: TestApp): Promise<string[]> {
  const folder = join(app.platform.config.dataDir, 'media')
  const all = await readdir(folder, { recursive: true }).catch(() => [] as string[])
  return all.filter((name) => name.startsWith('verification') && name.includes('.')).map((name) => join(folder, name))
}
