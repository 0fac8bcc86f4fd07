// Takes the locks `0`, `1`, … of a folder in turn, each once the file `go-<number>` is there, tells whether it has got it, and holds it until
// the file `end-<number>` is there.
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import { withLockFile } from '../../src/lib/lock-file.ts';

const [folder = '', count = ''] = process.argv.slice(2);
// A test that was killed leaves no process that waits for ever.
const LONGEST_MS = 300_000;
const isThere = (file: string): boolean => {
  if (performance.now() > LONGEST_MS) process.exit(1);
  return existsSync(join(folder, file));
};
const tell = (line: string): boolean => process.stdout.write(`${line}\n`);

tell('ready');
for (let turn = 0; turn < Number(count); turn += 1) {
  // Not asleep: all processes go at once.
  while (!isThere(`go-${turn}`)) continue;
  const got = await withLockFile(join(folder, String(turn)), async () => {
    tell('got');
    while (!isThere(`end-${turn}`)) await setTimeout(2);
    return true;
  });
  if (!got) tell('held');
}
