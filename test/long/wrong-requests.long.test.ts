// A hundred thousand generated requests, nearly all of them wrong, against every route: no 5xx, and no row changed by a 4xx.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { select } from '../../db/index.ts';
import { routes } from '../../src/api/index.ts';
import { cancelOperation } from '../../src/operations/queue.ts';
import { CALLS, pathWith, settled } from '../api/calls.ts';
import { BROKEN, WRONG } from '../api/bad-values.ts';
import { storedIn, versionOf, type Stored } from '../api/stored.ts';
import { random } from '../support/random.ts';
import { createPerson, request, startServer, type Ask, type Person, type TestServer } from '../support/server.ts';

// Each ten thousand have a server of their own: what the accepted ones store would slow the next ones down.
const ROUNDS = 10;
const REQUESTS = 10_000;
const SEED = 20_261_125;

// A stream that does not end; sign-in, whose throttle would answer for all; the end of the caller's session; what asks name
// servers and hosts for seconds where it is accepted.
const LEFT_OUT = new Set(['GET /api/events', 'POST /api/login', 'POST /api/logout', 'POST /api/domains/:id/why']);
// Statuses of calls that ask outside, where nobody answers here.
const OUTSIDE = new Set([502, 503]);

type Listed = (typeof routes)[number];

let server: TestServer;
let owner: Person;
let stranger: Person;
let dump: Stored;
let version: () => Promise<string | null>;
const objects = new Map<string, string | number | undefined>();
let next = random(SEED);

beforeEach(async () => {
  objects.clear();
  server = await startServer();
  dump = storedIn(server.config);
  version = versionOf(server.config);
  owner = await createPerson(server);
  stranger = await createPerson(server);
});
afterEach(() => server.close());

const below = (limit: number): number => Math.floor(next() * limit);
const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;

const ALPHABET = [
  'a',
  'Я',
  '0',
  ' ',
  '\0',
  '\n',
  '"',
  "'",
  '%',
  '<',
  '{',
  '|',
  '\\',
  '\u202e',
  '\ud83d\ude00',
  '\ud800',
  '.',
];
const text = (): string => Array.from({ length: below(40) }, () => oneOf(ALPHABET)).join('');
/** Returns a text without halves of surrogate pairs, as a URL needs it. */
const wellFormed = (): string => Buffer.from(text()).toString();

/** Returns any JSON value, nested to `depth` levels at most. */
function anything(depth = 3): unknown {
  const kinds = depth > 0 ? 7 : 5;
  const kind = below(kinds);
  if (kind === 0) return oneOf(WRONG);
  if (kind === 1) return text();
  if (kind === 2) return (next() - 0.5) * 10 ** below(20);
  if (kind === 3) return below(1000) - 500;
  if (kind === 4) return oneOf([null, true, false]);
  if (kind === 5) return Array.from({ length: below(4) }, () => anything(depth - 1));
  return Object.fromEntries(Array.from({ length: below(4) }, () => [text() || 'x', anything(depth - 1)]));
}

/** Returns a value with one of its parts replaced, dropped or added. */
function bent(value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && next() < 0.7) {
    return value.map((part, index) => (index === 0 ? bent(part) : part));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return anything();
  const names = Object.keys(value);
  const name = names.length > 0 && next() < 0.9 ? oneOf(names) : text() || 'x';
  const rest = { ...value } as Record<string, unknown>;
  if (next() < 0.2) delete rest[name];
  else rest[name] = next() < 0.5 && name in rest ? bent(rest[name]) : anything();
  return rest;
}

function bodyOf({ name, route }: Listed): unknown {
  if (route.body === undefined) return next() < 0.05 ? anything() : undefined;
  const dice = next();
  if (dice < 0.1) return oneOf(Object.values(BROKEN));
  if (dice < 0.25) return anything();
  const good = CALLS[name]?.body?.();
  return good instanceof FormData ? anything() : bent(dice < 0.7 ? good : bent(good));
}

/** Returns the path of a call, with the object of the owner or with an id that is not one. */
async function targetOf({ name, path, route }: Listed): Promise<string> {
  if (!objects.has(name)) objects.set(name, await CALLS[name]?.object?.(server, owner));
  const object = objects.get(name);
  const odd = (): string =>
    encodeURIComponent(oneOf(['0', '-1', '1.5', '9007199254740993', 'x', '1e3', ' ', wellFormed() || '~']));
  if (object === undefined || next() < (route.body === undefined ? 0.8 : 0.15)) return path.replaceAll(/[:*]\w+/g, odd);
  return pathWith(path, object);
}

function queryOf({ route }: Listed): string {
  if (next() < (route.query === undefined ? 0.8 : 0.3)) return '';
  const { shape = {} } = (route.query ?? {}) as unknown as { shape?: object };
  const names = [...Object.keys(shape), 'limit', '__proto__', wellFormed() || 'x'];
  const pairs = Array.from({ length: 1 + below(3) }, () => [
    oneOf(names),
    oneOf([wellFormed(), '-1', 'abc', '1e9', String(below(9))]),
  ]);
  return `?${pairs.map((pair) => pair.map((part) => encodeURIComponent(part ?? '')).join('=')).join('&')}`;
}

const TYPES = ['text/plain', 'multipart/form-data; boundary=x', 'x'];
const headersOf = (): Record<string, string> => {
  const type = next() < 0.05 ? oneOf(TYPES) : undefined;
  return { ...(type && { 'content-type': type }), ...(next() < 0.1 && { 'idempotency-key': 'k'.repeat(below(300)) }) };
};

const takesNothing = ({ path, route }: Listed): boolean =>
  route.body === undefined && route.query === undefined && !/[:*]/.test(path);

const tokenOf = (call: Listed): string | undefined => {
  // A call that takes nothing can be wrong in its caller alone.
  const dice = next() * (takesNothing(call) ? 0.07 : 1);
  if (dice < 0.03) return undefined;
  if (dice < 0.06) return `${owner.token}x`;
  return dice < 0.2 ? stranger.token : dice < 0.6 ? owner.token : server.admin.token;
};

const called = routes.filter(({ name }) => !LEFT_OUT.has(name));

interface Sent {
  call: Listed;
  line: string;
  ask: Ask;
}

async function generated(call: Listed): Promise<Sent> {
  const target = (await targetOf(call)) + queryOf(call);
  const token = tokenOf(call);
  const body = bodyOf(call);
  const method = next() < 0.02 ? oneOf(['PATCH', 'PUT', 'DELETE', 'POST', 'GET']) : call.method;
  const headers = { ...(Buffer.isBuffer(body) && { 'content-type': 'application/json' }), ...headersOf() };
  return { call, line: `${method} ${target}`, ask: { ...(token !== undefined && { token }), body, headers } };
}

/** Cancels the work that accepted calls have started, and waits until nothing is committed any more. */
async function quiet(): Promise<void> {
  const running = await select<{ id: number }>(`SELECT id FROM operations WHERE state IN ('queued', 'running')`);
  for (const { id } of running) await cancelOperation(id).catch(() => undefined);
  await settled();
  for (let last = await version(); ;) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const now = await version();
    if (now === last) return;
    last = now;
  }
}

/** Returns whether a refused request changes a row each time that it is sent: work beside it does not always write just then. */
async function changesRows({ line, ask }: Sent): Promise<boolean> {
  for (let tries = 0; tries < 6; tries += 1) {
    // Work that writes all the time is ended before the last tries.
    if (tries > 3) await quiet();
    const before = await dump();
    const { status } = await request(server, line, ask);
    if (status < 400 || (await dump()) === before) return false;
  }
  return true;
}

/** Sends one request; returns what is wrong with its answer, null if nothing is. */
async function faultOf(sent: Sent): Promise<{ status: number; fault: string | null }> {
  const { call, line, ask } = sent;
  const before = await version();
  const answer = await request(server, line, ask);
  const { status } = answer;
  const told = (what: string): string =>
    `${line} ${JSON.stringify(ask).slice(0, 400)} ${what}: ${status} ${answer.text.slice(0, 200)}`;
  if (status >= 500 && !OUTSIDE.has(status)) return { status, fault: told('failed') };
  if (status < 400) {
    objects.delete(call.name);
    return { status, fault: null };
  }
  if (typeof answer.body?.error !== 'string') return { status, fault: told('has no envelope') };
  // Something else may have committed meanwhile, such as the work of an accepted call: the request itself is tried alone.
  const isSuspect = status < 500 && (await version()) !== before;
  return { status, fault: isSuspect && (await changesRows(sent)) ? told('changed a row') : null };
}

const rounds = Array.from({ length: ROUNDS }, (_, round) => round + 1);

test.each(rounds)(
  'ten thousand wrong requests, round %i: no 5xx, no unhandled rejection, no row changed by a 4xx',
  async (round) => {
    next = random(SEED + round);
    const rejections: unknown[] = [];
    const note = (reason: unknown): void => void rejections.push(reason);
    process.on('unhandledRejection', note);
    const faults: string[] = [];
    const counts = new Map<number, number>();
    for (let sent = 0; sent < REQUESTS && faults.length < 20; sent += 1) {
      const { status, fault } = await faultOf(await generated(called[sent % called.length] as Listed));
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (fault !== null) faults.push(fault);
    }
    process.off('unhandledRejection', note);
    expect(faults).toEqual([]);
    expect(rejections).toEqual([]);
    // The requests arrive at the rules: neither most of them accepted, nor most of them turned away at the door.
    const share = (status: number): number => (counts.get(status) ?? 0) / REQUESTS;
    console.log(Object.fromEntries([...counts].toSorted(([a], [b]) => a - b)));
    expect(share(400)).toBeGreaterThan(0.2);
    expect(share(429)).toBeLessThan(0.05);
  },
  3_600_000,
);
