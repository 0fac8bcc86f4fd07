import type { Registry } from 'prom-client';
import type * as PrometheusClient from 'prom-client';
import { onMeasure } from '../../../lib/measures.ts';

/** The library, which is loaded only where there is a page of measures. */
export type Prometheus = typeof PrometheusClient;

const CALL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 90];
const SHORT_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 20];

// A client may send any word as its method.
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Makes the counters and histograms of the work of a process, in the registry of its page. */
function metersOf({ Counter, Histogram }: Prometheus, registers: [Registry]) {
  return {
    calls: new Counter({
      name: 'seo_admin_outside_calls_total',
      help: 'Calls to outside services by how they ended; limited: too many calls',
      labelNames: ['service', 'outcome'],
      registers,
    }),
    callSeconds: new Histogram({
      name: 'seo_admin_outside_call_seconds',
      help: 'How long outside services took to answer',
      labelNames: ['service'],
      buckets: CALL_BUCKETS,
      registers,
    }),
    requests: new Counter({
      name: 'seo_admin_http_requests_total',
      help: 'Requests answered, by method and class of the status',
      labelNames: ['method', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'seo_admin_http_request_seconds',
      help: 'How long requests took',
      buckets: SHORT_BUCKETS,
      registers,
    }),
    ended: new Counter({
      name: 'seo_admin_operations_ended_total',
      help: 'Operations that this process has ended, by kind and final state',
      labelNames: ['kind', 'state'],
      registers,
    }),
    waited: new Histogram({
      name: 'seo_admin_database_write_wait_seconds',
      help: 'How long transactions waited for the one writer of their process',
      buckets: SHORT_BUCKETS,
      registers,
    }),
    held: new Histogram({
      name: 'seo_admin_database_write_seconds',
      help: 'How long transactions took, waits for other processes included',
      buckets: SHORT_BUCKETS,
      registers,
    }),
    looks: new Counter({
      name: 'seo_admin_checks_total',
      help: 'Domains looked at by this process, by kind of check',
      labelNames: ['kind'],
      registers,
    }),
  };
}

/** Counts what this process does, from now on. Returns the function that ends it. */
export function countWork(client: Prometheus, registers: [Registry]): () => void {
  const { calls, callSeconds, requests, requestSeconds, ended, waited, held, looks } = metersOf(client, registers);
  const ends = [
    onMeasure('call', ({ service, outcome, ms }) => {
      calls.inc({ service, outcome });
      callSeconds.observe({ service }, ms / 1_000);
    }),
    onMeasure('request', ({ method, status, ms }) => {
      requests.inc({ method: METHODS.has(method) ? method : 'other', status: `${Math.floor(status / 100)}xx` });
      requestSeconds.observe(ms / 1_000);
    }),
    onMeasure('operation', (labels) => ended.inc(labels)),
    onMeasure('transaction', ({ waitedMs, heldMs }) => {
      waited.observe(waitedMs / 1_000);
      held.observe(heldMs / 1_000);
    }),
    onMeasure('looks', ({ kind, domains }) => looks.inc({ kind }, domains)),
  ];
  return () => ends.forEach((end) => end());
}
