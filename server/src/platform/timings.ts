import { Counter, Histogram, Registry } from 'prom-client'
import type { MailKind, MailOutcome } from './mailer.ts'

export interface Timings {
  registry: Registry
  request(of: { method: string; route: string; status: number }, seconds: number): void
  /** The time from an event until its acknowledgement. `refused` is the client's fault, `failed` is ours. */
  event(of: { event: string; outcome: 'ok' | 'refused' | 'failed' }, seconds: number): void
  job(of: { job: string; ok: boolean }, seconds: number): void
  mail(kind: MailKind, outcome: MailOutcome): void
  statement(name: string, seconds: number): void
}

const buckets = {
  answer: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  statement: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
  job: [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 1_800],
}

const mailKinds: MailKind[] = ['code', 'news', 'contact', 'notice']
const mailOutcomes: MailOutcome[] = ['taken', 'gone', 'us', 'later', 'uncertain']

/** Starts every counter at 0, so that the first failure shows as an increase. */
function mailCounter(registry: Registry) {
  const counter = new Counter({
    name: 'duet_mails_total',
    help: 'Emails by kind and outcome',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  for (const kind of mailKinds) for (const outcome of mailOutcomes) counter.inc({ kind, outcome }, 0)
  return counter
}

const outcome = (ok: boolean) => (ok ? 'ok' : 'failed')

export function createTimings(): Timings {
  const registry = new Registry()
  const histogram = <L extends string>(name: string, help: string, labelNames: L[], of: keyof typeof buckets) =>
    new Histogram({ name, help, labelNames, buckets: buckets[of], registers: [registry] })
  const requests = histogram(
    'duet_http_request_seconds',
    'Requests by method, route pattern and status class',
    ['method', 'route', 'status'],
    'answer',
  )
  const events = histogram(
    'duet_event_seconds',
    'Socket events until their acknowledgement',
    ['event', 'outcome'],
    'answer',
  )
  const jobs = histogram('duet_job_seconds', 'Runs of jobs', ['job', 'outcome'], 'job')
  const statements = histogram('duet_statement_seconds', 'Statements by name', ['statement'], 'statement')
  const mails = mailCounter(registry)
  return {
    registry,
    request: ({ method, route, status }, seconds) =>
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds),
    event: (of, seconds) => events.observe(of, seconds),
    job: ({ job, ok }, seconds) => jobs.observe({ job, outcome: outcome(ok) }, seconds),
    mail: (kind, outcome) => mails.inc({ kind, outcome }),
    statement: (statement, seconds) => statements.observe({ statement }, seconds),
  }
}
