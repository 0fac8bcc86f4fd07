// A new version migrates while a server of a former one works on: nobody waits, nothing is lost, and the way back is the backup that it made.
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startPostgres, type PostgresServer } from '../support/postgres/cluster.ts';
import { PASSWORD, request } from '../support/server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// The last version before the migration 0042-requests.
const FORMER = '53e6ac2e498aa6edf80ecf332a45c220afe22b4a';
const FIRST_PENDING = '0042-requests';
const hasFormer = spawnSync('git', ['cat-file', '-e', `${FORMER}^{commit}`], { cwd: ROOT }).status === 0;

const folder = mkdtempSync(join(tmpdir(), 'seo-admin-rolling-'));
const former = join(folder, 'former');
let postgres: PostgresServer;
beforeAll(() => {
  if (!hasFormer) throw new Error(`The history lacks ${FORMER}: git fetch --unshallow`);
  mkdirSync(former);
  const tree = execFileSync('git', ['archive', FORMER], { cwd: ROOT, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', former], { input: tree });
  symlinkSync(join(ROOT, 'node_modules'), join(former, 'node_modules'));
  postgres = startPostgres({ databases: ['seo'] });
});
afterAll(() => {
  postgres?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Program {
  process: ChildProcess;
  url: string;
  said: () => string;
  stop: () => Promise<number | null>;
}

const running: Program[] = [];
let data: string;
beforeEach(() => {
  data = mkdtempSync(join(folder, 'data-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ stop }) => stop()));
});

const envOf = (more: Record<string, string>): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: data,
  SEO_ADMIN_DATA_DIR: data,
  SEO_ADMIN_LANG: 'en',
  SEO_ADMIN_DNS: '127.0.0.1:9',
  RDAP_URL: 'http://127.0.0.1:9',
  WHOIS_SERVER: '127.0.0.1:9',
  ...more,
});
const words = (args: string[]): string[] => ['--import', 'tsx', 'src/cli/index.ts', ...args];

/** Runs a command of a version to its end. */
const run = (tree: string, args: string[], env: Record<string, string>, input = '') =>
  spawnSync(process.execPath, words(args), { cwd: tree, env: envOf(env), input, encoding: 'utf8' });

/** Starts a server of a version and waits until it listens. */
async function serve(tree: string, env: Record<string, string>): Promise<Program> {
  const child = spawn(process.execPath, words(['serve', '--port', '0', '--no-scheduler']), {
    cwd: tree,
    env: envOf(env),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const program: Program = {
    process: child,
    url: '',
    said: () => said,
    stop: async () => {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'close');
      }
      return child.exitCode;
    },
  };
  running.push(program);
  await expect.poll(() => child.exitCode !== null || /listening on http/.test(said)).toBe(true);
  program.url = /listening on (http:\S+)/.exec(said)?.[1] ?? '';
  if (program.url === '') throw new Error(said);
  return program;
}

const namesAt = async (at: Program, token: string): Promise<string[]> => {
  const { body } = await request(at, 'GET /api/domains?limit=500', { token });
  return (body.data as { domain_name: string }[]).map(({ domain_name }) => domain_name).toSorted();
};

test.for(['sqlite', 'postgres'] as const)(
  'a server of the former version goes on while and after a new one migrates its database: %s',
  async (kind) => {
    const env: Record<string, string> = kind === 'postgres' ? { DATABASE_URL: postgres.address('seo') } : {};
    expect(run(former, ['init', '--admin-login', 'admin', '--password-stdin'], env, `${PASSWORD}\n`).status).toBe(0);
    const old = await serve(former, env);
    const signIn = async (at: Program): Promise<string> =>
      (await request(at, 'POST /api/login', { body: { login: 'admin', password: PASSWORD } })).body.token;
    const token = await signIn(old);

    // Somebody adds names all the time, and reads them.
    const added: string[] = [];
    const refused: number[] = [];
    const over = new AbortController();
    const adding = (async () => {
      for (let n = 0; !over.signal.aborted; n += 1) {
        const domain_name = `n${n}.example`;
        const { status } = await request(old, 'POST /api/domains', { token, body: { domain_name } });
        if (status === 200) added.push(domain_name);
        else refused.push(status);
        if ((await request(old, 'GET /api/domains?limit=5', { token })).status !== 200) refused.push(-1);
      }
    })();
    await expect.poll(() => added.length).toBeGreaterThan(5);

    const young = await serve(ROOT, env);
    expect(young.said()).toContain(FIRST_PENDING);
    const before = added.length;
    await expect.poll(() => added.length).toBeGreaterThan(before + 20);
    over.abort();
    await adding;
    // Only a write that waited too long for the migration may have been told to come again.
    expect(refused.filter((status) => status !== 503)).toEqual([]);

    // One session at both, each sees what the other writes, and work that the former one queues ends.
    expect(await namesAt(young, token)).toEqual(added.toSorted());
    await request(young, 'POST /api/domains', { token, body: { domain_name: 'young.example' } });
    expect(await namesAt(old, token)).toContain('young.example');
    const { body } = await request(old, 'POST /api/trigger_background_task', { token, body: {} });
    const id: number = body.operation.id;
    const stateAt = async (at: Program): Promise<string> =>
      (await request(at, `GET /api/operations/${id}`, { token })).body.state;
    await expect.poll(() => stateAt(old)).toMatch(/^(succeeded|partial|failed)$/);
    expect(await stateAt(young)).toBe(await stateAt(old));
    const verified = run(ROOT, ['audit', 'verify', '--json'], env);
    expect([verified.status, verified.stderr]).toEqual([0, expect.not.stringContaining('Error')]);
    await old.stop();
    expect(old.said()).not.toMatch(/"level":50|SQLITE_ERROR|syntax error|does not exist/);

    // Once it is stopped it is not started again by mistake; the way back is named, and works.
    const again = spawnSync(process.execPath, words(['serve', '--port', '0']), {
      cwd: former,
      env: envOf(env),
      encoding: 'utf8',
      // On PostgreSQL that version said so, and did not end.
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
    expect(again.stderr).toContain(FIRST_PENDING);
    expect(again.stderr).not.toContain('listening on');
    await young.stop();
    const backup = readdirSync(join(data, 'backups')).find((name) => /^before-0042.*\.(sqlite|dump)$/.test(name));
    const restored = run(former, ['db', 'restore', join(data, 'backups', backup ?? ''), '--yes', '--json'], env);
    expect([restored.status, restored.stderr]).toEqual([0, expect.any(String)]);
    const back = await serve(former, env);
    const names = await namesAt(back, await signIn(back));
    expect(names.length).toBeGreaterThan(5);
    expect(added.toSorted()).toEqual(expect.arrayContaining(names));
    console.log(
      `${kind}: ${added.length} names added, ${refused.length} told to come again, ${names.length} in the backup`,
    );
  },
);
