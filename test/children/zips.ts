// Reads every archive of a folder once, and says how long the slowest took and how much more memory the process had.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readZip } from '../../src/lib/zip.ts';

const [folder = ''] = process.argv.slice(2);
const files = readdirSync(folder);
const megabytes = (): number => process.resourceUsage().maxRSS / 1024;

// What one archive has left behind is not counted to the next.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const read = (file: string): Promise<void> =>
  readZip(readFileSync(join(folder, file)), () => undefined).catch(() => undefined);

// The reader itself is loaded by the first.
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
