// Loads a server over HTTP/1.1 from its own process: reads one Load as JSON from its arguments, prints one LoadResult.
import { connect, type Socket } from 'node:net';
import { random } from '../test/support/random.ts';

/**
 * A closed loop of requests on each connection, which waits as `Retry-After` says. In a path, `{0-9950}` is replaced by
 * a random number, `{abc}` by three random letters.
 */
export interface Load {
  port: number;
  connections: number;
  seconds: number;
  path: string;
  headers: Record<string, string>;
  /** Makes it a POST with this body; `{n}` in it is replaced by a unique number. */
  body?: string;
  /** Requests per second over all connections; absent, each is sent as soon as the previous one is answered. */
  perSecond?: number;
}

/** Answers by status, and percentiles in milliseconds of the complete answers that are no refusal (2xx, 3xx, 401). */
export interface LoadResult {
  seconds: number;
  answers: Record<string, number>;
  perSecond: number;
  /** Null if there was none. */
  p50: number | null;
  p99: number | null;
  /** The same for refused requests. */
  refusedP99: number | null;
  failed: number;
}

const load = JSON.parse(process.argv[2] ?? '{}') as Load;
const next = random(Number(process.argv[3] ?? 1));
const times = { answered: [] as number[], refused: [] as number[] };
const answers: Record<string, number> = {};
let failed = 0;
let count = 0;
const begun = performance.now();
const end = begun + load.seconds * 1000;

const letters = (): string => Array.from({ length: 3 }, () => 'abcdefghij'[Math.floor(next() * 10)]).join('');
const pathNow = (): string =>
  load.path
    .replace('{abc}', letters)
    .replace(/\{0-(\d+)\}/, (_, most: string) => String(Math.floor(next() * Number(most))));

function requestNow(): string {
  count += 1;
  const body = load.body?.replace('{n}', String(count));
  const headers = { host: '127.0.0.1', ...load.headers, ...(body && { 'content-type': 'application/json' }) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value.replace('{n}', String(count))}`);
  if (body !== undefined) lines.push(`content-length: ${body.length}`);
  return `${body === undefined ? 'GET' : 'POST'} ${pathNow()} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** Runs one connection; reopens it if the server closes it. */
function drive(number: number): void {
  let socket: Socket;
  let asked = 0;
  let head = '';
  let status = 0;
  let left = -1;
  let waiting = false;
  let pauseMs = 0;

  const send = (): void => {
    if (performance.now() >= end) return socket.destroy() as unknown as void;
    waiting = true;
    asked = performance.now();
    socket.write(requestNow());
  };
  const done = (): void => {
    const ms = performance.now() - asked;
    waiting = false;
    left = -1;
    head = '';
    answers[status] = (answers[status] ?? 0) + 1;
    (status < 400 || status === 401 ? times.answered : times.refused).push(ms);
    // A closed loop waits as `Retry-After` says: retrying at once is not answered sooner.
    if (load.perSecond === undefined) {
      if (pauseMs > 0) setTimeout(send, pauseMs * (1 + next() / 2));
      else send();
    } else setTimeout(send, Math.max(0, (load.connections / load.perSecond) * 1000 - ms));
  };
  const take = (chunk: Buffer): void => {
    if (left < 0) {
      head += chunk.toString('latin1');
      const split = head.indexOf('\r\n\r\n');
      if (split < 0) return;
      status = Number(head.slice(9, 12));
      pauseMs = Number(/retry-after: (\d+)/i.exec(head.slice(0, split))?.[1] ?? 0) * 1000;
      const length = /content-length: (\d+)/i.exec(head.slice(0, split))?.[1];
      left = status === 304 ? 0 : Number(length ?? 0);
      left -= head.length - split - 4;
    } else left -= chunk.length;
    if (left <= 0) done();
  };
  const open = (): void => {
    // Each connection has an address of its own, like separate callers.
    socket = connect(
      { port: load.port, host: '127.0.0.1', localAddress: `127.1.${number >> 8}.${number & 255 || 1}` },
      send,
    );
    socket.on('data', take);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (waiting && performance.now() < end) failed += 1;
      waiting = false;
      left = -1;
      head = '';
      if (performance.now() < end) setTimeout(open, 20);
    });
  };
  open();
}

const at = (values: number[], part: number): number | null =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? null;

for (let index = 0; index < load.connections; index += 1) drive(index);
setTimeout(
  () => {
    const seconds = (performance.now() - begun) / 1000;
    const result: LoadResult = {
      seconds,
      answers,
      perSecond: times.answered.length / seconds,
      p50: at(times.answered, 0.5),
      p99: at(times.answered, 0.99),
      refusedP99: at(times.refused, 0.99),
      failed,
    };
    console.log(JSON.stringify(result));
    process.exit(0);
  },
  load.seconds * 1000 + 50,
);
