// Reads every archive of a folder once; prints the time of the slowest and the growth of the process's memory.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readZip } from '../../src/lib/zip.ts';

const [folder = ''] = process.argv.slice(2);
const files = readdirSync(folder);
const megabytes = (): number => process.resourceUsage().maxRSS / 1024;

// Collecting before each archive keeps garbage of the previous one out of the figures.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const read = (file: string): Promise<void> =>
  readZip(readFileSync(join(folder, file)), () => undefined).catch(() => undefined);

// The first read loads the reader itself.
await read(files[0] ?? '');
const before = megabytes();
let slowest = { file: '', ms: 0 };
for (const file of files) {
  collect();
  const start = performance.now();
  await read(file);
  const ms = performance.now() - start;
  if (ms > slowest.ms) slowest = { file, ms };
}
process.stdout.write(`${JSON.stringify({ archives: files.length, ...slowest, grown: megabytes() - before })}\n`);
