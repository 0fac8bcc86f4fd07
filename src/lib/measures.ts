import { channel } from 'node:diagnostics_channel';
import { inSpan, isTraced } from './tracing/spans.ts';

/** A call to an outside service that has ended. `service` is one of a few words: never a host, a domain or a login. */
export interface CallMeasure {
  service: string;
  /** `limited`: the service has refused for the number of calls; `failed`: its own error, or no answer. */
  outcome: 'ok' | 'refused' | 'limited' | 'failed' | 'aborted';
  status?: number;
  /** Milliseconds since 1970, of this machine's clock. */
  startedAt: number;
  ms: number;
}

/** A request that was answered. */
export interface RequestMeasure {
  method: string;
  status: number;
  ms: number;
}

/** Measures by their channel of `node:diagnostics_channel` (`seo-admin.call`). Without a subscriber nothing is measured. */
interface Measures {
  call: CallMeasure;
  request: RequestMeasure;
  /** An operation that this process has ended. */
  operation: { kind: string; state: string };
  /** A transaction: how long it waited for the one writer, and how long it held it. */
  transaction: { waitedMs: number; heldMs: number };
  /** Domains whose looks were stored at once. */
  looks: { kind: string; domains: number };
}

const channels = {
  call: channel('seo-admin.call'),
  request: channel('seo-admin.request'),
  operation: channel('seo-admin.operation'),
  transaction: channel('seo-admin.transaction'),
  looks: channel('seo-admin.looks'),
};

/** Tells a measure to those who listen. */
export const measure = <Name extends keyof Measures>(name: Name, value: Measures[Name]): void =>
  channels[name].publish(value);

/** Whether anybody listens: what is costly to measure is not measured for nobody. */
export const isMeasured = (name: keyof Measures): boolean => channels[name].hasSubscribers;

/** Listens to measures; call the returned function to end that. The listener must not throw. */
export function onMeasure<Name extends keyof Measures>(
  name: Name,
  listener: (value: Measures[Name]) => void,
): () => void {
  const heard = (value: unknown): void => listener(value as Measures[Name]);
  channels[name].subscribe(heard);
  return () => {
    channels[name].unsubscribe(heard);
  };
}

const outcomeOf = (status: number): CallMeasure['outcome'] =>
  status === 429 ? 'limited' : status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'ok';

// How a notice has left, as its channel says.
const OUTCOMES_OF_NOTICES: Record<string, CallMeasure['outcome']> = { sent: 'ok', later: 'failed' };

/** How a call that has thrown has ended. */
function outcomeOfError(error: unknown, signal?: AbortSignal): CallMeasure['outcome'] {
  if (signal?.aborted) return 'aborted';
  const kind = (error as { kind?: string } | null)?.kind;
  if (kind === 'rate_limited') return 'limited';
  return kind === 'credentials' || kind === 'refused' || kind === 'untrusted' ? 'refused' : 'failed';
}

/** How a call is written in a trace: `path` with a placeholder for each part that names something, never with a query. */
export interface CallShape {
  method: string;
  path: string;
}

/**
 * Makes a call to an outside service, and measures how it ends: by the `status` of its answer, where that has one. A call that was
 * aborted by `signal` counts as such. In a trace it is a span of its own.
 */
export function measuringCall<T>(
  service: string,
  call: () => Promise<T>,
  signal?: AbortSignal,
  shape?: () => CallShape,
): Promise<T> {
  if (!isTraced()) return measured(service, call, signal);
  const { method, path } = shape?.() ?? {};
  const facts = {
    'peer.service': service,
    ...(method !== undefined && { 'http.request.method': method }),
    ...(path !== undefined && { 'url.template': path }),
  };
  const name = [method, service, path].filter(Boolean).join(' ');
  return inSpan({ name, kind: 'client', facts, partOnly: true }, async (span) => {
    const answer = await measured(service, call, signal);
    const { status } = Object(answer) as { status?: unknown };
    if (typeof status === 'number') {
      span.set({ 'http.response.status_code': status });
      if (status >= 400) span.fail();
    }
    return answer;
  });
}

async function measured<T>(service: string, call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!isMeasured('call')) return call();
  const [startedAt, start] = [Date.now(), performance.now()];
  const tell = (outcome: CallMeasure['outcome'], status?: number): void =>
    measure('call', {
      service,
      outcome,
      ...(status !== undefined && { status }),
      startedAt,
      ms: performance.now() - start,
    });
  try {
    const answer = await call();
    const { status, outcome } = Object(answer) as { status?: unknown; outcome?: unknown };
    if (typeof status === 'number') tell(outcomeOf(status), status);
    else tell(typeof outcome === 'string' ? (OUTCOMES_OF_NOTICES[outcome] ?? 'refused') : 'ok');
    return answer;
  } catch (error) {
    tell(outcomeOfError(error, signal));
    throw error;
  }
}
