import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collectMetrics } from '../platform/metrics.ts'
import { startTestApp, type TestApp } from './app.ts'
import { has } from './programs.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const rulesFiles = ['duet', 'patroni'].map((name) => join(root, `deploy/prometheus/${name}.rules.yml`))
const rules = rulesFiles.map((file) => readFileSync(file, 'utf8')).join('')
const dashboard = readFileSync(join(root, 'deploy/grafana/duet.json'), 'utf8')
const runbooks = readFileSync(join(root, 'docs/runbooks.md'), 'utf8')
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
const recorded = [...rules.matchAll(/- record: (\S+)/g)].map(([, name]) => name)

let app: TestApp
beforeAll(async () => {
  const backup = { BACKUP_TO: '/dev/null/duet-backups', BACKUP_PASSPHRASE: 'open sesame twice' }
  app = await startTestApp({ LOG_LEVEL: 'silent', ...backup })
})
afterAll(() => app.close())

/** Lists the names of all metrics; a histogram has three. */
async function figures(): Promise<Set<string>> {
  const all = await collectMetrics(app.measured).getMetricsAsJSON()
  return new Set(
    all.flatMap(({ name, type }) =>
      String(type) === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  )
}

it('Every metric in the alerts, recording rules, dashboard and runbooks exists.', async () => {
  const known = await figures()
  for (const [file, text] of Object.entries({ rules, dashboard, runbooks })) {
    const asked = [...text.matchAll(/\b(?:duet|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name)
    expect(asked.length, file).toBeGreaterThan(0)
    expect(
      asked.filter((name) => !known.has(name)),
      file,
    ).toEqual([])
    const ratios = [...text.matchAll(/\b(?:duet|patroni):[a-z_]+:\w+/g)].map(([name]) => name)
    expect(
      ratios.filter((name) => !recorded.includes(name)),
      file,
    ).toEqual([])
  }
})

it('Each alert has one runbook, and each runbook an alert.', () => {
  const told = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
  expect(told.sort()).toEqual([...alerts].sort())
})

interface Series {
  series: string
  values: string
}
const steady = (series: string, value: number): Series => ({ series, values: `${value}x500` })
/** A counter that grows by `by` a minute. */
const growing = (series: string, by: number): Series => ({ series, values: `0+${by}x500` })
const requests = (status: string, by: number) =>
  growing(`duet_http_request_seconds_count{job="duet",method="GET",route="/api/deck",status="${status}"}`, by)
const sent = (le: string, by: number) =>
  growing(`duet_event_seconds_bucket{job="duet",event="send_message",outcome="ok",le="${le}"}`, by)
const failedToSend = (by: number) =>
  growing('duet_event_seconds_count{job="duet",event="send_message",outcome="failed"}', by)
const sentInAll = (by: number) => growing('duet_event_seconds_count{job="duet",event="send_message",outcome="ok"}', by)
const codes = (outcome: string, by: number) =>
  growing(`duet_mails_total{job="duet",kind="code",outcome="${outcome}"}`, by)
const gauge = (name: string, value: number, labels = '') => steady(`${name}{job="duet",instance="a"${labels}}`, value)

const machine = (name: string, of: string, value: number) =>
  steady(`patroni_${name}{job="patroni",name="${of}"}`, value)
/** Three database machines: the primary and two replicas, one of which is synchronous. */
const machines = ['one', 'two', 'three'].flatMap((name, place) => [
  machine('postgres_running', name, 1),
  machine('primary', name, place === 0 ? 1 : 0),
  machine('replica', name, place === 0 ? 0 : 1),
  machine('sync_standby', name, place === 1 ? 1 : 0),
  machine('xlog_location', name, place === 0 ? 5e9 : 0),
  machine('xlog_replayed_location', name, place === 0 ? 0 : 5e9 - 1_000),
])

const well: Series[] = [
  ...machines,
  steady('up{job="duet",instance="a"}', 1),
  requests('2xx', 6_000),
  sent('0.25', 600),
  sentInAll(600),
  // Refusals by a rate limit, which aren't faults.
  growing('duet_event_seconds_count{job="duet",event="send_message",outcome="refused"}', 300),
  gauge('duet_backup_place_writable', 1),
  gauge('duet_data_dir_free_bytes', 6e9),
  gauge('duet_data_dir_size_bytes', 100e9),
  growing('duet_storage_failures_total{job="duet",instance="a"}', 0),
  gauge('duet_joined', 1),
  gauge('duet_jobs_running', 1),
  gauge('duet_index_loaded', 1),
  gauge('duet_connections', 30),
  gauge('duet_build_info', 1, ',version="1.0.0"'),
  gauge('duet_pool_connections', 0, ',pool="app",state="waiting"'),
  gauge('nodejs_eventloop_lag_p99_seconds', 0.02),
  gauge('duet_queue_age_seconds', 600, ',queue="report"'),
  growing('duet_security_events_total{job="duet",event="sign_in"}', 60),
  codes('taken', 60),
  gauge('duet_newest_backup_timestamp_seconds', 0),
  gauge('duet_restore_drill_timestamp_seconds', 1),
  gauge('duet_restore_drill_failed', 0),
]

/** The series that trigger each alert. They replace or extend those of a healthy node. */
const broken: Record<string, Series[]> = {
  RequestsFail: [requests('5xx', 120)],
  RequestsFailSlowly: [requests('5xx', 48)],
  MessagesAreLate: [sent('0.25', 540)],
  MessagesFail: [failedToSend(100)],
  DiskIsNearlyFull: [gauge('duet_data_dir_free_bytes', 3e9)],
  StoreFails: [growing('duet_storage_failures_total{job="duet",instance="a"}', 2)],
  Down: [steady('up{job="duet",instance="a"}', 0)],
  NodeIsAlone: [gauge('duet_joined', 0)],
  DatabaseIsTooSlow: [gauge('duet_pool_connections', 9, ',pool="app",state="waiting"')],
  EventLoopIsLate: [gauge('nodejs_eventloop_lag_p99_seconds', 0.5)],
  JobsFail: [growing('duet_job_failures_total{job="duet",instance="a"}', 1)],
  CodesAreNotMailed: [codes('taken', 1), codes('later', 4)],
  MailsAreGivenUp: [growing('duet_jobs_given_up_total{job="duet",instance="a",task="mail-statement"}', 1)],
  JobsStandStill: [gauge('duet_jobs_running', 0)],
  // promtool's times start at 0.
  BackupIsMissing: [gauge('duet_newest_backup_timestamp_seconds', -26 * 3_600)],
  RestoreDrillIsMissing: [gauge('duet_restore_drill_timestamp_seconds', -9 * 86_400)],
  RestoreDrillFailed: [gauge('duet_restore_drill_failed', 1)],
  BackupPlaceIsReadOnly: [gauge('duet_backup_place_writable', 0)],
  PeopleAreNotIndexed: [gauge('duet_index_loaded', 0)],
  VersionsDiffer: [steady('duet_build_info{job="duet",instance="b",version="1.1.0"}', 1)],
  CodesAreGuessed: [growing('duet_security_events_total{job="duet",event="sign_in_failed"}', 300)],
  Probing: [growing('duet_security_events_total{job="duet",event="probing"}', 1)],
  ManyAreLimited: [growing('duet_problems_total{job="duet",code="rate_limited"}', 600)],
  ReportsWait: [gauge('duet_queue_age_seconds', 5 * 3_600, ',queue="report"')],
  NoPrimary: [machine('primary', 'one', 0)],
  NoStandbyConfirms: [machine('sync_standby', 'two', 0)],
  StandbyLags: [machine('xlog_replayed_location', 'three', 4e9)],
  MachineIsMissing: [machine('postgres_running', 'three', 0)],
  AppealsWait: [gauge('duet_queue_age_seconds', 4 * 86_400, ',queue="appeal"')],
}
/**
 * Cases near the thresholds: a short failover, a store that fails occasionally, and failing messages with little other
 * traffic.
 */
const moments: Record<string, { others: Series[]; expected: string[] }> = {
  'a failover of a minute': {
    others: [{ series: failedToSend(0).series, values: '0x476 300x30' }],
    expected: [],
  },
  'a store that fails once in four minutes': {
    others: [growing('duet_storage_failures_total{job="duet",instance="a"}', 0.25)],
    expected: [],
  },
  'all messages, in a small community': {
    others: [failedToSend(1), growing(sentInAll(0).series, 0)],
    expected: ['MessagesFail'],
  },
}
/**
 * Cases that trigger further alerts: a very high failure rate also triggers RequestsFailSlowly, and missing database
 * machines trigger both of their alerts.
 */
const alsoTells: Record<string, string[]> = {
  RequestsFail: ['RequestsFailSlowly'],
  'no machine of the database': ['NoPrimary', 'MachineIsMissing'],
}

/** Series to leave out entirely, by prefix. */
const gone: Record<string, string> = { 'no machine of the database': 'patroni_' }

describe.skipIf(!has('promtool'))('the alerts, checked by promtool', () => {
  it('The rules files are valid.', () => {
    expect(String(execFileSync('promtool', ['check', 'rules', ...rulesFiles]))).toContain('SUCCESS')
  })

  it('Each alert fires for its own case only, and none fires when all is well.', { tags: 'long' }, () => {
    expect(Object.keys(broken).sort()).toEqual([...alerts].sort())
    const folder = mkdtempSync(join(tmpdir(), 'duet-alerts-'))
    try {
      const cases: Record<string, Series[]> = {
        ...{ nothing: [], 'no machine of the database': [] },
        ...Object.fromEntries(Object.entries(moments).map(([name, { others }]) => [name, others])),
        ...broken,
      }
      const tests = Object.entries(cases).map(([name, others]) => {
        const replaced = new Set(others.map(({ series }) => series))
        const expected = (moments[name]?.expected ?? [name, ...(alsoTells[name] ?? [])]).filter((alert) =>
          alerts.includes(alert),
        )
        return {
          name,
          interval: '1m',
          input_series: [
            ...well.filter(
              ({ series }) => !replaced.has(series) && !(name in gone && series.startsWith(gone[name] ?? '')),
            ),
            ...others,
          ],
          promql_expr_test: [
            {
              expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
              eval_time: '8h',
              exp_samples: expected.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
            },
          ],
        }
      })
      const file = join(folder, 'alerts.yml')
      // JSON is valid YAML.
      writeFileSync(file, JSON.stringify({ rule_files: rulesFiles, evaluation_interval: '1m', tests }))
      const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
      expect(status, stdout + stderr).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
