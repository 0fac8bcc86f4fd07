import { Worker } from 'node:worker_threads';
import type { ListProblem, Names } from './name-store.ts';

/** The last part of a list of rows: it begins with a row, and ends with the file. */
export interface LastPart {
  start: number;
  format: 'csv' | 'list';
}

/** Names of the last part of a list. */
export type Rest = Names & { problem: ListProblem | null };

/** Request to the thread: the part, and the file, which stays open in the thread that asks. */
export type RestRequest = LastPart & { fd: number };

export type FromThread = { bytes: number } | { rest: Rest };

/**
 * Reads the last part of an open file in a thread of its own; calls `onBytes` with the number of bytes read. `rest` fails where
 * no thread could be started, or it ended early; `stop` ends it, and has to be awaited before the file is closed.
 */
export function readApart(
  fd: number,
  part: LastPart,
  onBytes: (bytes: number) => void,
): { rest: Promise<Rest>; stop: () => Promise<void> } {
  let thread: Worker | undefined;
  const rest = new Promise<Rest>((resolve, reject) => {
    thread = startThread({ ...part, fd });
    thread.on('message', (message: FromThread) => {
      if ('bytes' in message) onBytes(message.bytes);
      else {
        const { names, ...rest } = message.rest;
        // A Buffer arrives as a plain array of bytes.
        resolve({ ...rest, names: Buffer.from(names.buffer, names.byteOffset, names.length) });
      }
    });
    thread.on('error', reject);
    thread.on('exit', () => reject(new Error('the thread that reads a list has ended without it')));
  });
  // The first part may fail before anybody awaits this one.
  rest.catch(() => {});
  return { rest, stop: async () => void (await thread?.terminate()) };
}

function startThread(workerData: RestRequest): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./rest-thread.js', import.meta.url), { workerData });
  // In development and in tests; tsx does not reach a thread by itself.
  const entry = new URL('./rest-thread.ts', import.meta.url).href;
  const code = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(entry)}); });`;
  return new Worker(code, { eval: true, workerData });
}
