import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { collectMetrics, serveMetrics } from './metrics.ts'
import { createTimings } from './timings.ts'
import { version } from './version.ts'

const measured = {
  role: 'all' as const,
  indexed: () => 12,
  realtime: {
    liveSessions: () => ['one', 'other'],
    figures: () => ({
      connections: 3,
      refusedHandshakes: 1,
      cutOff: { slow: 2, flood: 1 },
      dropped: 4,
      joined: true,
      heard: 8,
    }),
  },
  security: { counts: () => ({ events: new Map([['sign_in_failed', 7]]), problems: new Map([['rate_limited', 5]]) }) },
  pools: { app: { totalCount: 10, idleCount: 4, waitingCount: 2 } },
  jobs: { failures: () => 6, givenUp: () => new Map([['mail-statement', 1]]), isRunning: () => true },
  queues: async () => new Map([['report', 3_600]]),
  space: async () => ({ free: 4e9, size: 50e9 }),
  storageFailures: () => 9,
  isBackupPlaceWritable: async () => false,
}

test('Every metric is exported, and scraping twice counts nothing twice', async () => {
  const timings = createTimings()
  timings.request({ method: 'GET', route: '/api/deck', status: 503 }, 0.02)
  timings.event({ event: 'send_message', outcome: 'ok' }, 0.004)
  timings.job({ job: 'erase', ok: false }, 2)
  timings.statement('cards', 0.003)
  const registry = collectMetrics({ ...measured, registry: timings.registry })
  await registry.metrics()
  const text = await registry.metrics()
  for (const line of [
    'duet_security_events_total{event="sign_in_failed"} 7',
    'duet_problems_total{code="rate_limited"} 5',
    'duet_pool_connections{pool="app",state="waiting"} 2',
    'duet_pool_connections{pool="app",state="busy"} 6',
    'duet_job_failures_total 6',
    'duet_jobs_given_up_total{task="mail-statement"} 1',
    'duet_jobs_running 1',
    'duet_queue_age_seconds{queue="report"} 3600',
    'duet_connections 3',
    'duet_cut_off_connections{reason="slow"} 2',
    'duet_cut_off_connections{reason="flood"} 1',
    'duet_heard_pushes 8',
    'duet_live_sessions 2',
    'duet_data_dir_free_bytes 4000000000',
    'duet_data_dir_size_bytes 50000000000',
    'duet_storage_failures_total 9',
    'duet_backup_place_writable 0',
    'duet_indexed_people 12',
    'duet_index_loaded 1',
    `duet_build_info{version="${version}",node="${process.version}"} 1`,
    'duet_http_request_seconds_bucket{le="0.01",method="GET",route="/api/deck",status="5xx"} 0',
    'duet_http_request_seconds_bucket{le="0.025",method="GET",route="/api/deck",status="5xx"} 1',
    'duet_event_seconds_count{event="send_message",outcome="ok"} 1',
    'duet_job_seconds_sum{job="erase",outcome="failed"} 2',
    'duet_statement_seconds_count{statement="cards"} 1',
  ])
    expect(text).toContain(line)
  expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds \d/)
})

test('A web process exports no job metrics and a worker no index metrics', async () => {
  const figuresOf = async (role: 'web' | 'worker') => {
    const text = await collectMetrics({ ...measured, role, registry: new Registry() }).metrics()
    return ['duet_jobs_running', 'duet_index_loaded'].map((name) => text.includes(name))
  }
  expect(await figuresOf('web')).toEqual([false, true])
  expect(await figuresOf('worker')).toEqual([true, false])
})

test('Other metrics are exported while the database is down or hangs', { tags: 'long' }, async () => {
  for (const reading of [() => Promise.reject(new Error('away')), () => new Promise<never>(() => undefined)]) {
    const registry = collectMetrics({ ...measured, queues: reading, drilled: reading, registry: new Registry() })
    expect(await registry.metrics()).toContain('duet_job_failures_total 6')
  }
})

test('Metrics are served only on the configured host and path', async () => {
  const server = await serveMetrics({ port: 0, host: '127.0.0.1' }, { ...measured, registry: new Registry() })
  const { port, address } = server.address() as { port: number; address: string }
  expect(address).toBe('127.0.0.1')
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200)
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
  server.close()
})
