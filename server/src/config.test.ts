import { describe, expect, it } from 'vitest'
import { type ConfigError, readConfig } from './config.ts'

const linesOf = (environment: Record<string, string>) => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    return (error as ConfigError).lines
  }
}

describe('the environment', () => {
  it('may be empty: everything has the documented default', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: undefined,
      databaseUrl: undefined,
      redisUrl: undefined,
      storageUrl: undefined,
      mailUrl: undefined,
      demo: true,
      chatPolicy: 'open',
      photoReview: 'after',
      rateLimitScale: 1,
      logLevel: 'info',
      metricsPort: undefined,
    })
    expect(readConfig({}).dataDir).toMatch(/\/data$/)
  })

  it('shows the demo world only with the embedded database and outside production, unless told', () => {
    const key = 'x'.repeat(32)
    expect(readConfig({ DATABASE_URL: 'postgres://localhost/duet' }).demo).toBe(false)
    expect(readConfig({ NODE_ENV: 'production', SECRET_KEY: key }).demo).toBe(false)
    expect(readConfig({ DATABASE_URL: 'postgres://localhost/duet', DEMO: 'on' }).demo).toBe(true)
    expect(readConfig({ DEMO: 'off' }).demo).toBe(false)
  })

  it('needs a secret key of 32 bytes in production', () => {
    expect(linesOf({ NODE_ENV: 'production' })).toEqual([
      'SECRET_KEY: is required with NODE_ENV=production (at least 32 bytes)',
    ])
    expect(linesOf({ SECRET_KEY: 'short' })).toEqual(['SECRET_KEY: must have at least 32 bytes'])
  })

  it('that is wrong gives one line per variable', () => {
    const lines = linesOf({
      PORT: 'http',
      PUBLIC_URL: 'duet.example',
      DATABASE_URL: 'mysql://localhost',
      REDIS_URL: 'localhost:6379',
      STORAGE_URL: 'file:///x',
      MAIL_URL: 'http://mail',
      DEMO: 'yes',
      CHAT_POLICY: 'closed',
      ADMIN_SECOND_FACTOR: 'sometimes',
      PHOTO_REVIEW: 'never',
      RATE_LIMIT_SCALE: '0',
      SUPER_ADMIN_EMAIL: 'nobody',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: 'everybody',
      METRICS_PORT: '99999',
    })
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'PORT',
      'PUBLIC_URL',
      'DATABASE_URL',
      'REDIS_URL',
      'STORAGE_URL',
      'MAIL_URL',
      'DEMO',
      'CHAT_POLICY',
      'ADMIN_SECOND_FACTOR',
      'PHOTO_REVIEW',
      'RATE_LIMIT_SCALE',
      'SUPER_ADMIN_EMAIL',
      'LOG_LEVEL',
      'TRUST_PROXY',
      'METRICS_PORT',
    ])
  })

  it('asks administrators for a second factor in production, and elsewhere if they have one', () => {
    const production = { NODE_ENV: 'production', SECRET_KEY: 'x'.repeat(48) }
    expect(readConfig({}).adminSecondFactor).toBe('optional')
    expect(readConfig(production).adminSecondFactor).toBe('required')
    expect(readConfig({ ...production, ADMIN_SECOND_FACTOR: 'optional' }).adminSecondFactor).toBe('optional')
  })

  it('takes an empty variable as unset', () => {
    expect(readConfig({ PORT: '', DEMO: '', MAIL_URL: '' })).toMatchObject({ port: 3000, mailUrl: undefined })
  })
})
