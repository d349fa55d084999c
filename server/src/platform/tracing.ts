import { AsyncResource } from 'node:async_hooks'
import {
  type Attributes,
  context,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { minutes, seconds } from './clock.ts'
import { version } from './version.ts'

// Spans record what was done and for how long, never anything about a person: no ids, values or error messages. Until
// `startTracing` is called, spans aren't exported and cost almost nothing.
let tracer = trace.getTracer('duet')

/** Runs `work` in a child span of the current one. Errors are recorded only by type. */
export function inSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      fail(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}

/** Call the returned function when the statement ends, with the error if it failed. */
export function beginStatement(name: string): (error?: unknown) => void {
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } })
  return (error) => {
    if (error) fail(span, error)
    span.end()
  }
}

function fail(span: Span, error: unknown): void {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute('error.type', String(code ?? name ?? 'unknown'))
}

// biome-ignore lint/suspicious/noExplicitAny: whatever it takes.
export function keepSpan<F extends (...args: any[]) => unknown>(callback: F): F {
  return context.active() === ROOT_CONTEXT ? callback : AsyncResource.bind(callback)
}

/** One span per request. Ignores a client's `traceparent`, with which strangers could choose what is sampled. */
function traceRequests(http: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  http.addHook('onRequest', (request, reply, done) => {
    const { method, id } = request
    const route = request.routeOptions.url ?? 'unknown'
    const attributes = { 'http.request.method': method, 'http.route': route, 'duet.request': id }
    const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes })
    spans.set(request, span)
    // The client disconnected before the response; no Fastify hook reports this.
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished || !spans.delete(request)) return
      span.setAttribute('error.type', 'aborted').setStatus({ code: SpanStatusCode.ERROR }).end()
    })
    context.with(trace.setSpan(context.active(), span), done)
  })
  http.addHook('onResponse', async (request, { statusCode }) => {
    const span = spans.get(request)
    spans.delete(request)
    span?.setAttribute('http.response.status_code', statusCode)
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  })
}

interface Log {
  warn(details: object, message: string): void
}

/**
 * Exports spans by OTLP over HTTP. Only routes of `http` mounted afterwards are traced. OpenTelemetry's own variables
 * set sampling, headers and names.
 */
export async function startTracing(endpoint: string, http: FastifyInstance, log: Log): Promise<() => Promise<void>> {
  // Loaded on demand, because most installations don't trace.
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  let toldAt = Number.NEGATIVE_INFINITY
  const tell = (message: string) => {
    if (performance.now() - toldAt < minutes(10)) return
    toldAt = performance.now()
    log.warn({ detail: message }, 'traces could not be exported')
  }
  diag.setLogger({ error: tell, warn() {}, info() {}, debug() {}, verbose() {} })
  const own = resources.resourceFromAttributes({ 'service.name': 'duet', 'service.version': version })
  const named = resources.detectResources({ detectors: [resources.envDetector] })
  const url = new URL('v1/traces', endpoint.endsWith('/') ? endpoint : `${endpoint}/`).href
  // An unreachable collector must not delay a shutdown.
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: seconds(3) })
  const provider = new NodeTracerProvider({
    resource: own.merge(named),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  provider.register()
  // OpenTelemetry ties a tracer to the first provider it used, so get a new tracer.
  tracer = trace.getTracer('duet')
  traceRequests(http)
  return async () => {
    await provider.shutdown()
    trace.disable()
    context.disable()
    diag.disable()
  }
}
