import { Worker } from 'node:worker_threads';
import type { BuildRequest, Built } from './index-build.ts';
import type { ListProblem, Names } from './name-store.ts';

/** The last part of a list of rows: it begins with a row, and ends with the file. */
export interface LastPart {
  start: number;
  format: 'csv' | 'list';
}

/** What the thread does, by name: what it is given, and what it answers. Memory in it is shared. */
export interface Tasks {
  /** Reads the last part of a file that stays open in the thread that asks. */
  read: { given: LastPart & { fd: number }; answer: Names & { problem: ListProblem | null } };
  build: { given: BuildRequest; answer: Built };
  /** The CRC-32 of `bytes` after those that `before` is the CRC-32 of. */
  crc32: { given: { bytes: Uint8Array; before: number }; answer: number };
}
export type Task = { [Name in keyof Tasks]: { name: Name; given: Tasks[Name]['given'] } }[keyof Tasks];

export type FromThread = { bytes: number } | { answer: Tasks[keyof Tasks]['answer'] };

/** A thread that does a half of what a long list needs, one task after the other. */
export interface SecondThread {
  /** Fails where no thread could be started, or it has ended. Calls `onBytes` with the number of bytes read. */
  ask<Name extends keyof Tasks>(
    name: Name,
    given: Tasks[Name]['given'],
    onBytes?: (bytes: number) => void,
  ): Promise<Tasks[Name]['answer']>;
  /** Whether it has answered all that it was asked, so that it can be asked more. */
  isAtHand(): boolean;
  /** Ends it. Resolves when it no longer reads the file it was given; its own end, which takes longer, is not waited for otherwise. */
  stop(): Promise<void>;
}

/** Returns a thread that starts when it is first asked. */
export function secondThread(): SecondThread {
  let worker: Worker | undefined;
  let isAtHand = false;
  let onMessage: (message: FromThread) => void = () => {};
  let onEnd: (error: Error) => void = () => {};
  function start(): Worker {
    const started = startWorker();
    started.on('message', (message: FromThread) => onMessage(message));
    started.on('error', (error) => onEnd(error));
    started.on('exit', () => onEnd(new Error('the thread that reads a list has ended')));
    return started;
  }
  return {
    ask(name, given, onBytes) {
      isAtHand = false;
      const asked = new Promise<never>((resolve, reject) => {
        onMessage = (message) => {
          if ('bytes' in message) return onBytes?.(message.bytes);
          isAtHand = true;
          resolve(message.answer as never);
        };
        onEnd = (error) => {
          isAtHand = false;
          reject(error);
        };
        worker ??= start();
        // All memory in it is shared, none moved.
        worker.postMessage({ name, given }, []);
      });
      // Other work may fail before anybody awaits this one.
      asked.catch(() => {});
      return asked;
    },
    isAtHand: () => isAtHand,
    async stop() {
      const ended = worker?.terminate();
      if (!isAtHand) await ended;
      isAtHand = false;
    },
  };
}

function startWorker(): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./second-thread-entry.js', import.meta.url));
  // In development and in tests; tsx does not reach a thread by itself.
  const entry = new URL('./second-thread-entry.ts', import.meta.url).href;
  const code = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(entry)}); });`;
  return new Worker(code, { eval: true });
}
