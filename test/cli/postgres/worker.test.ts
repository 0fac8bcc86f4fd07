// The command `worker`: it does what other processes have queued, beside servers and other workers, on both databases.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres, type PostgresServer } from '../../support/postgres/cluster.ts';
import { makeHome, PASSWORD, type Home } from '../cli.ts';

let postgres: PostgresServer;
beforeAll(() => {
  postgres = startPostgres({ databases: ['seo'] });
});
afterAll(() => postgres.close());

const DATABASES: readonly [name: string, env: () => Record<string, string>][] = [
  ['SQLite', () => ({})],
  ['PostgreSQL', () => ({ DATABASE_URL: postgres.address('seo') })],
];

describe.each(DATABASES)('on %s', (_name, database) => {
  let home: Home;
  const env = (): Record<string, string> => ({ ...database(), SEO_ADMIN_LANG: 'en', SEO_ADMIN_DNS: '127.0.0.1:9' });
  const run = (words: string, input?: string) =>
    home.run(words.split(' '), { env: env(), ...(input !== undefined && { input }) });
  const start = (...flags: string[]) => home.start(['worker', ...flags], { env: env() });

  beforeAll(async () => {
    home = makeHome();
    const made = await run('init --admin-login admin --password-stdin', `${PASSWORD}\n`);
    const added = await run('domain add one.example two.example');
    if (made.exit !== 0 || added.exit !== 0) throw new Error(made.stderr + added.stderr);
  });
  afterAll(() => home.remove());

  /** The states of the operations, the newest first. */
  const states = async (): Promise<string[]> =>
    (await run('operation list --json')).json.items.map(({ state }: { state: string }) => state);

  /** How many operations there are, and the state of the newest. */
  const newest = async (): Promise<[count: number, state: string | undefined]> => {
    const all = await states();
    return [all.length, all[0]];
  };
  const DONE = expect.stringMatching(/succeeded|partial/);

  test('work that another process queued is done by the worker, which ends at a signal', async () => {
    const before = (await states()).length;
    expect((await run('schedule run check')).exit).toBe(0);
    const worker = start('--metrics-port', '0');
    const [, probes = ''] = await worker.says(/^\/livez, \/readyz and \/metrics: (http:\S+)$/m);
    const statusOf = async (path: string): Promise<number> => (await fetch(probes + path)).status;
    // A database that does not answer within two seconds, as on a loaded machine, is not ready yet.
    await expect
      .poll(() => Promise.all(['/livez', '/readyz', '/metrics', '/'].map(statusOf)))
      .toEqual([200, 200, 404, 404]);
    await expect.poll(newest).toEqual([before + 1, DONE]);
    worker.process.kill('SIGTERM');
    const { exit, stdout } = await worker.ended;
    expect([exit, stdout]).toEqual([143, '']);
  });

  test('a worker with --only leaves other work to others, and refuses a word that it does not know', async () => {
    const refused = await run('worker --only checks,mail --json');
    expect(refused).toMatchObject({ exit: 2, json: { error: { code: 'usage' } } });
    expect(refused.json.error.message).toMatch(/mail.*checks, dns, sites, transfers, purchases, positions, schedule/);
    const other = start('--only', 'positions,schedule');
    await other.says(/^works only on: positions, schedule$/m);
    const before = (await states()).length;
    expect((await run('schedule run check')).exit).toBe(0);
    expect(await newest()).toEqual([before + 1, 'queued']);
    const checking = start('--only', 'checks');
    await expect.poll(newest).toEqual([before + 1, DONE]);
    for (const { process } of [other, checking]) process.kill('SIGTERM');
    await Promise.all([other.ended, checking.ended]);
  });

  test('of two workers that are there at once each queued operation is done once, and one that is killed leaves none behind', async () => {
    const [first, second] = [start(), start()];
    await Promise.all([first.says(/^Working/m), second.says(/^Working/m)]);
    first.process.kill('SIGKILL');
    const before = (await states()).length;
    expect((await run('schedule run check')).exit).toBe(0);
    await expect.poll(newest).toEqual([before + 1, DONE]);
    second.process.kill('SIGTERM');
    expect((await second.ended).exit).toBe(143);
  });
});
