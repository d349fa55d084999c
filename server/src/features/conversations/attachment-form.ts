import { cutText } from '@duet/contract/cut-text.ts'
import { limits } from '@duet/contract/limits.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { invalid } from '../../platform/errors.ts'
import { bytesOf, partsOf } from '../../platform/http/forms.ts'

export interface AttachmentForm {
  bytes: Buffer
  voice?: { waveform: number[] }
}

const Waveform = z.array(z.int().min(0).max(100)).min(1).max(limits.waveformBars)
const DurationMs = z.coerce
  .number()
  .int()
  .min(1)
  .max(limits.voiceSeconds * 1000)

const wrong = (path: string, message: string) => invalid([{ path, message }])

function parseList(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The voice fields of the form. Undefined if they are missing, which means that the upload is a photo. */
function voiceOf(fields: ReadonlyMap<string, string>): AttachmentForm['voice'] {
  const durationMs = fields.get('durationMs')
  const list = fields.get('waveform')
  if (durationMs === undefined && list === undefined) return undefined
  if (!DurationMs.safeParse(durationMs || undefined).success) {
    throw wrong('durationMs', `must be a whole number from 1 to ${limits.voiceSeconds * 1000}`)
  }
  const { data: waveform } = Waveform.safeParse(parseList(list ?? ''))
  if (!waveform) throw wrong('waveform', `must be 1 to ${limits.waveformBars} whole numbers from 0 to 100`)
  return { waveform }
}

/** Reads an upload form: the fields first, then exactly one file. Throws for any other form. */
export async function readAttachmentForm(request: FastifyRequest): Promise<AttachmentForm> {
  const fields = new Map<string, string>()
  let bytes: Buffer | undefined
  for await (const part of partsOf(request, 1)) {
    const name = cutText(part.fieldname, 40)
    if (part.type === 'file') {
      if (name !== 'file') throw wrong('file', 'has a wrong name')
      bytes = await bytesOf(part)
    } else if (name !== 'durationMs' && name !== 'waveform') throw wrong(name, 'is not known')
    else if (bytes) throw wrong(name, 'must come before the file')
    else if (fields.has(name) || part.valueTruncated) throw wrong(name, 'is not valid')
    else fields.set(name, String(part.value))
  }
  if (!bytes) throw wrong('file', 'is missing')
  const voice = voiceOf(fields)
  return voice ? { bytes, voice } : { bytes }
}
