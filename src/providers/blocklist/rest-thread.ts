// The thread that reads the last part of a long list: it reports progress, sends what it has found, and ends.
import { parentPort, workerData } from 'node:worker_threads';
import { parseRange } from './parse.ts';
import type { FromThread, RestRequest } from './rest.ts';

const { fd, start, format } = workerData as RestRequest;
const send = (message: FromThread, moved: ArrayBuffer[] = []): void => parentPort?.postMessage(message, moved);

const { names, hashes, rows, unusable, problem } = await parseRange(
  fd,
  { start, end: Infinity },
  (bytes) => send({ bytes }),
  format,
);
const moved = [names.buffer, hashes.buffer] as ArrayBuffer[];
send({ rest: { names, hashes, rows, unusable, problem } }, moved);
