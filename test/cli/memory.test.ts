import { expect, test } from 'vitest';
import { startWorld } from '../support/world.ts';
import { makeAdminHome } from './cli.ts';

// Prints the peak memory of the process at its end.
const HOOK = `process.on('exit', () => process.stderr.write('peak=' + process.resourceUsage().maxRSS + '\\n'))`;
const NODE_OPTIONS = `--import="data:text/javascript,${encodeURIComponent(HOOK)}"`;

test('a check of thousands of names takes less than one and a half times the memory of a check of one', async () => {
  const world = await startWorld({});
  const home = await makeAdminHome();
  const env = { SEO_ADMIN_CONNECT_TO: `::127.0.0.1:${world.port}`, NODE_OPTIONS };
  const peakOf = async (count: number): Promise<number> => {
    const names = Array.from({ length: count }, (_, index) => `n${index}.test`).join('\n');
    const args = ['check', 'http', '--file', home.file('many.txt', names), '--scheme', 'http', '--json'];
    const { json, stderr } = await home.run(args, { env });
    expect(json.summary).toEqual({ total: count, ok: 0, no_answer: 0 });
    return Number(/peak=(\d+)/.exec(stderr)?.[1]);
  };
  expect(await peakOf(4_000)).toBeLessThan(1.5 * (await peakOf(1)));
  home.remove();
  await world.close();
});
