import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { HealthResult } from '../../src/shared/checks/health.ts';
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
    const command = 'ulimit -n 90 && exec "$0" --import tsx --input-type=module -e "$1" "$2"';
    const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, CHECK, String(world.port)]);
    const results = JSON.parse(stdout) as HealthResult[];
    expect(results).toHaveLength(300);
    expect(results.filter((result) => result.http_status_code !== 200)).toEqual([]);
    await world.close();
  },
);
