import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const OperatorSettings = z.object({
  /** Null means no limit. */
  dailyLikes: z.int().min(1).max(1000).nullable(),
})
export type OperatorSettings = z.infer<typeof OperatorSettings>

export const getSettings = endpoint({
  method: 'GET',
  path: '/api/admin/settings',
  summary: 'What the operator has set.',
  access: 'admin',
  response: OperatorSettings,
})

export const changeSettings = endpoint({
  method: 'PATCH',
  path: '/api/admin/settings',
  summary: 'Set something for everyone; every process follows within two seconds.',
  access: 'admin',
  body: z.strictObject(OperatorSettings.partial().shape),
  response: OperatorSettings,
})

export const settingsEndpoints = [getSettings, changeSettings] as const
