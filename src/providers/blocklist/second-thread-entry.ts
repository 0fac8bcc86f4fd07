// The thread that does a half of what a long list needs, as it is asked.
import { parentPort } from 'node:worker_threads';
import { buildBuckets } from './index-build.ts';
import { parseRange } from './parser.ts';
import type { FromThread, Task, Tasks } from './second-thread.ts';

const send = (message: FromThread): void => parentPort?.postMessage(message, []);

async function answerTo({ name, given }: Task): Promise<Tasks[keyof Tasks]['answer']> {
  if (name === 'build') return buildBuckets(given);
  if (name === 'crc32') {
    const { crc32 } = await import('node:zlib');
    return crc32(given.bytes, given.before);
  }
  const { fd, start, format } = given;
  const { names, hashes, places, rows, unusable, entries, problem } = await parseRange(
    fd,
    { start, end: Infinity },
    (bytes) => send({ bytes }),
    format,
  );
  return { names, hashes, places, rows, unusable, entries, problem };
}

// In turn, as they are asked. An error ends the thread, and with it what was asked.
parentPort?.on('message', (task: Task) => void answerTo(task).then((answer) => send({ answer })));
