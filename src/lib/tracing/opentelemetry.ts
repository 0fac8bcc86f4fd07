import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Span, type SpanContext } from '@opentelemetry/api';
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { endsWithin } from '../grace.ts';
import { NOBODYS, type OpenSpan, type SpanAsked, type Tracer } from './spans.ts';
import type { Protocol } from './start.ts';

const TOLD_EVERY_MS = 60_000;
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

const headerOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

/** Returns the kind of an error: an AppError's code, a ProviderError's kind, the name of its class. A message may name hosts and people. */
function kindOf(error: unknown): string {
  const { code, kind, name } = Object(error) as { code?: unknown; kind?: unknown; name?: unknown };
  for (const one of [code, kind, name]) if (typeof one === 'string' && /^[\w.-]{1,60}$/.test(one)) return one;
  return 'error';
}

async function exporterFor(protocol: Protocol) {
  if (protocol === 'http/json') {
    return new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter();
  }
  return new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter();
}

/** Tells why spans were not sent, a minute apart: an exporter that is away fails with each batch. */
function tellSeldom(tell: (message: string) => void): (error: unknown) => void {
  let told = -Infinity;
  return (error) => {
    if (performance.now() - told < TOLD_EVERY_MS) return;
    told = performance.now();
    const { message, code } = Object(error) as { message?: string; code?: string | number };
    tell(`traces were not sent: ${[code, message].filter(Boolean).join(' ').slice(0, 200)}`);
  };
}

/**
 * Opens what makes spans. Address, headers, sampling, batches and the service's name are OpenTelemetry's own variables; `seo-admin` is the name
 * without one.
 */
export async function openTracer(
  protocol: Protocol,
  version: string,
  tell: (message: string) => void,
): Promise<Tracer> {
  setGlobalErrorHandler(tellSeldom(tell));
  const own = { 'service.name': 'seo-admin', 'service.version': version, 'service.instance.id': randomUUID() };
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(await exporterFor(protocol))],
  });
  const tracer = provider.getTracer('seo-admin', version);
  const running = new AsyncLocalStorage<Span>();

  const parentOf = ({ parent }: SpanAsked): SpanContext | undefined => {
    const given = parent ? parseTraceParent(parent) : null;
    return given ? { ...given, isRemote: true } : running.getStore()?.spanContext();
  };
  const open = (span: Span): OpenSpan => ({
    set: (facts) => void span.setAttributes(facts),
    rename: (name) => void span.updateName(name),
    fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
  });
  return {
    run: async (asked, work) => {
      const parent = parentOf(asked);
      if (asked.partOnly && !parent) return work(NOBODYS);
      const { name, kind, facts = {} } = asked;
      const span = tracer.startSpan(
        name,
        { kind: kind ? KINDS[kind] : SpanKind.INTERNAL, attributes: facts },
        parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
      );
      try {
        return await (asked.leaf ? work(open(span)) : running.run(span, () => work(open(span))));
      } catch (error) {
        span.setAttribute('error.type', kindOf(error)).setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    current: () => {
      const span = running.getStore();
      return span ? headerOf(span.spanContext()) : null;
    },
    stop: async (ms) => {
      await endsWithin(
        ms,
        provider.shutdown().catch(() => undefined),
      );
    },
  };
}
