import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { HealthResult } from '../../src/shared/checks/health.ts';
import { startPace } from '../../src/providers/health/pace.ts';
import { startWorld } from '../support/world.ts';

const CHECK = `
  import { checkHealth } from './src/providers/health.ts';
  const [port] = process.argv.slice(1);
  const hosts = Array.from({ length: 300 }, (_, index) => 'n' + index + '.test');
  const connectTo = [{ host1: '', port1: null, host2: '127.0.0.1', port2: Number(port) }];
  const results = [];
  await checkHealth(hosts, { scheme: 'http', concurrency: 300, connectTo }, (result) => results.push(result));
  console.log(JSON.stringify(results));
`;

test.runIf(process.platform !== 'win32')(
  'a process with few sockets asks fewer hosts at once, and asks them all',
  async () => {
    const world = await startWorld(
      Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`n${index}.test`, {}])),
    );
    const command = 'ulimit -n 160 && exec "$0" --import tsx --input-type=module -e "$1" "$2"';
    const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, CHECK, String(world.port)]);
    const results = JSON.parse(stdout) as HealthResult[];
    expect(results).toHaveLength(300);
    expect(results.filter((result) => result.http_status_code !== 200)).toEqual([]);
    await world.close();
  },
);

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('few hosts start in each round of the event loop, in their order, and all of them', async () => {
  const pace = startPace();
  const started: number[] = [];
  const rounds: number[] = [];
  const ended = Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      await pace();
      started.push(index);
    }),
  );
  // Those of the first round have started before it ends.
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  rounds.push(started.length);
  while (started.length < 100) {
    const before = started.length;
    await nextRound();
    rounds.push(started.length - before);
  }
  await ended;
  expect(started).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect(Math.max(...rounds)).toBeLessThanOrEqual(16);
  expect(rounds.length).toBeGreaterThanOrEqual(7);
});

test('a host that starts alone waits for no round', async () => {
  const pace = startPace();
  await nextRound();
  let started = false;
  void pace().then(() => (started = true));
  await Promise.resolve();
  expect(started).toBe(true);
});
