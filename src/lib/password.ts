import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { AppError } from '../shared/errors.ts';

// OWASP's equivalent of N=2^17, r=8, p=1 with a quarter of the memory.
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const KEY_LENGTH = 32;
const MAX_WAITING = 64;
// A sign-in waits for about this long at most, at two to six hashes a second; further ones are refused.
const SIGN_IN_WAIT_MS = 1500;
const FEW = 4;
const MAX_PASSWORD = 1024;

// scrypt on the main pool stalls the database (2.8 s for 20 hashes), hence a thread of its own, with the synchronous
// call. The code is a string because a worker can't load TypeScript on every Node this runs on.
const WORKER = `
  const { parentPort } = require('node:worker_threads');
  const { scryptSync } = require('node:crypto');
  parentPort.on('message', ({ id, password, salt, length, cost }) => {
    const begun = performance.now();
    const key = scryptSync(password, salt, length, cost);
    parentPort.postMessage({ id, key, ms: performance.now() - begun });
  });`;

const waiting = new Map<number, { resolve: (key: Buffer) => void; reject: (error: Error) => void }>();
let worker: Worker | undefined;
let nextId = 0;
let meanMs = 200;

/** Returns the usual time in ms to verify a password, a moving average; 500 at most. */
export const usualLookMs = (): number => Math.min(meanMs, 500);

function startWorker(): Worker {
  const thread = new Worker(WORKER, { eval: true });
  thread.unref();
  thread.on('message', ({ id, key, ms }: { id: number; key: Uint8Array; ms: number }) => {
    waiting.get(id)?.resolve(Buffer.from(key));
    waiting.delete(id);
    meanMs += (ms - meanMs) * 0.2;
    if (waiting.size === 0) thread.unref();
  });
  thread.on('error', (error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    worker = undefined;
  });
  return thread;
}

function refuseMoreThan(most: number): void {
  if (waiting.size >= most) throw new AppError('too_many', 'error.too_many', { seconds: 3 }, { retryAfter: 3 });
}

/** Throws AppError `too_many` if so many sign-ins wait that another one would have to wait too long. */
export const refuseLateSignIn = (): void => refuseMoreThan(Math.max(FEW, Math.floor(SIGN_IN_WAIT_MS / meanMs)));

function scrypt(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  worker ??= startWorker();
  const thread = worker;
  thread.ref();
  return new Promise((resolve, reject) => {
    const id = ++nextId;
    waiting.set(id, { resolve, reject });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
    thread.postMessage({ id, password, salt, length: KEY_LENGTH, cost });
  });
}

/**
 * Hashes a password to a PHC-like string with its parameters, so that they can be raised later. Takes about 170 ms in a worker
 * thread. Throws `too_many` if too many wait already.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  refuseMoreThan(MAX_WAITING);
  const key = await scrypt(password, salt, COST);
  return `$scrypt$n=${COST.N},r=${COST.r},p=${COST.p}$${salt.toString('base64')}$${key.toString('base64')}`;
}

const STORED = /^\$scrypt\$n=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/;

/**
 * Whether a password matches a stored hash. `stored` null (no such user) takes the same time as a wrong password, so that the
 * time of an answer does not reveal which logins exist. Throws `too_many` if too many wait already.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const match = STORED.exec(stored ?? '');
  const fits = password.length <= MAX_PASSWORD;
  const salt = match ? Buffer.from(match[4] ?? '', 'base64') : Buffer.alloc(16);
  const cost = match ? { ...COST, N: Number(match[1]), r: Number(match[2]), p: Number(match[3]) } : COST;
  refuseLateSignIn();
  const key = await scrypt(fits ? password : '', salt, cost);
  const expected = match ? Buffer.from(match[5] ?? '', 'base64') : Buffer.alloc(KEY_LENGTH, 1);
  return fits && match !== null && expected.length === key.length && timingSafeEqual(expected, key);
}
