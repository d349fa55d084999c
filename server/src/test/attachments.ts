import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Attachment } from '@duet/contract/conversations.ts'
import sharp from 'sharp'
import type { TestApp } from './app.ts'
import type { Person } from './people.ts'

export const jpeg = (width = 600, height = 800) =>
  sharp({ create: { width, height, channels: 3, background: '#a63' } })
    .jpeg()
    .toBuffer()

export const recorded = (name: string) => readFile(new URL(`./voice/${name}`, import.meta.url))

export const noted = { durationMs: '1500', waveform: JSON.stringify([0, 50, 100]) }

export function attachmentForm(bytes: Buffer, fields: Record<string, string> = {}): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  data.append('file', new Blob([new Uint8Array(bytes)]), 'voice.svg')
  return data
}

export const upload = (who: Person, to: { id: string }, form: FormData) =>
  who.call('POST /api/conversations/:userId/attachments', { params: { userId: to.id }, form })

async function added(who: Person, to: Person, form: FormData): Promise<Attachment> {
  const { status, body } = await upload(who, to, form)
  if (status !== 201) throw new Error(`not uploaded: ${JSON.stringify(body)}`)
  return body
}

export const addPhoto = async (who: Person, to: Person) => added(who, to, attachmentForm(await jpeg()))
export const addVoice = async (who: Person, to: Person) =>
  added(who, to, attachmentForm(await recorded('recorded.webm'), noted))

export async function kept({ platform }: TestApp): Promise<{ files: number; rows: number }> {
  const folder = join(platform.config.dataDir, 'media/attachments')
  const all = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const rows = await platform.db.selectFrom('attachments').select('id').execute()
  return { files: all.filter((entry) => entry.isFile()).length, rows: rows.length }
}
