// Where spans are made, without OpenTelemetry: that is loaded by `start.ts` where its variables ask for it. Until then nothing is measured.

/** Facts of a span, by their names in OpenTelemetry. Never secrets, queries, bodies, or names of customers and their domains. */
export type Facts = Record<string, string | number | boolean>;

/** A span that is asked for. */
export interface SpanAsked {
  name: string;
  kind?: 'server' | 'client' | 'consumer';
  facts?: Facts;
  /** The W3C `traceparent` that it goes on from, such as that of the request which has queued the work; without one, from the running span. */
  parent?: string | null;
  /** Only as a part of a running span: what repeats without end, alone, is no trace that anybody looks for. */
  partOnly?: boolean;
  /** Spans of its work become parts of the caller's span: this one is only a stretch of time that the caller waits. */
  leaf?: boolean;
}

/** A span while its work runs. */
export interface OpenSpan {
  set: (facts: Facts) => void;
  rename: (name: string) => void;
  /** Says that the work has failed though it throws nothing. */
  fail: () => void;
}

/** The maker of spans, set by `useTracer`. */
export interface Tracer {
  run: <T>(asked: SpanAsked, work: (span: OpenSpan) => Promise<T>) => Promise<T>;
  /** Returns the `traceparent` of the running span; null: none runs. */
  current: () => string | null;
  /** Sends what is left, for `ms` at most. Never throws. */
  stop: (ms: number) => Promise<void>;
}

/** A span that nobody sees. */
export const NOBODYS: OpenSpan = { set: () => undefined, rename: () => undefined, fail: () => undefined };

let tracer: Tracer | undefined;

/** Sets what makes spans from now on; undefined: nothing does. */
export const useTracer = (given: Tracer | undefined): void => {
  tracer = given;
};

/** Whether spans are made: what is costly to find out for one is not found out for nobody. */
export const isTraced = (): boolean => tracer !== undefined;

/** Runs work in a span of its own, which ends with it; what it throws is told by its kind, never by its message. */
export const inSpan = <T>(asked: SpanAsked, work: (span: OpenSpan) => Promise<T>): Promise<T> =>
  tracer === undefined ? work(NOBODYS) : tracer.run(asked, work);

/** Returns the `traceparent` of the running span, to be stored with work that others go on with; null: there is none. */
export const currentTrace = (): string | null => tracer?.current() ?? null;

const STOP_MS = 3_000;

/** Sends what is left, for `ms` at most, and makes no more spans. Never throws. */
export async function stopTracing(ms = STOP_MS): Promise<void> {
  const stopping = tracer;
  tracer = undefined;
  await stopping?.stop(Math.min(ms, STOP_MS));
}
