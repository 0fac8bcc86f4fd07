// `server test`, `accept-key` and `keep-key` against a real OpenSSH.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findSshd, isRoot, startSshd, type Sshd } from '../support/sshd.ts';
import { makeAdminHome, type Home, type Run } from './cli.ts';

const found = findSshd();
const why = ('missing' in found && ` (${found.missing})`) || (isRoot ? '' : ' (takes root)');
const ADDRESS = '203.0.113.10';

let home: Home;
let sshd: Sshd;
let env: Record<string, string>;

beforeAll(async () => {
  if (why !== '') return;
  home = await makeAdminHome();
  sshd = await startSshd();
  env = { SEO_ADMIN_CONNECT_TO: `${ADDRESS}:22:127.0.0.1:${sshd.port}` };
});
afterAll(async () => {
  await sshd?.close();
  home?.remove();
});

const run = (line: string[], input?: string): Promise<Run> =>
  home.run([...line, '--json', '--lang', 'en'], { env, ...(input === undefined ? {} : { input }) });

async function add(name: string, secret: string, host = ADDRESS): Promise<Run> {
  const { user } = sshd.passwordLogin();
  return run(['server', 'add', name, '--host', host, '--user', user, '--password-stdin'], `${secret}\n`);
}

describe.skipIf(why !== '')(`server${why}`, () => {
  test('writes nothing with --dry-run', async () => {
    const flags = ['--host', ADDRESS, '--user', 'root', '--password-stdin', '--dry-run'];
    expect((await run(['server', 'add', 'Nothing', ...flags], 'x\n')).json).toMatchObject({ ok: true, dry_run: true });
    expect((await run(['server', 'list'])).json.items).toEqual([]);
  });

  test('reports the fault of each tested one, and tells failed from unavailable', async () => {
    await add('Good', sshd.passwordLogin().secret);
    const good = await run(['server', 'test', 'Good']);
    expect(good.json).toMatchObject({ ok: true, exit: 0, items: [{ name: 'Good', status: 'ok', code: null }] });
    await add('Away', 'x', '127.0.0.1:9');
    expect((await run(['server', 'test', 'Away'])).json).toMatchObject({
      exit: 6,
      items: [{ status: 'fail', code: 'provider_unavailable', message: '127.0.0.1:9: the SSH port is closed' }],
    });
    await add('Wrong', 'hunter2 hunter2');
    const wrong = await run(['server', 'test', 'Wrong']);
    expect(wrong.json).toMatchObject({ exit: 1, items: [{ code: 'provider_credentials' }] });
    const all = await run(['server', 'test', '--all']);
    expect(all.json).toMatchObject({ exit: 5, summary: { total: 3, fail: 2 } });
    expect((await run(['server', 'test'])).json).toMatchObject({ exit: 5, summary: { total: 3 } });
    expect(wrong.stdout + all.stdout + all.stderr).not.toContain('hunter2');
    expect((await run(['server', 'test', 'Good', '--all'])).exit).toBe(2);
    expect((await run(['server', 'test', 'nobody'])).exit).toBe(1);
    for (const name of ['Away', 'Wrong']) await run(['server', 'remove', name, '--yes']);
  });

  test('accept-key accepts only the key that was shown', async () => {
    const known = sshd.hostKey();
    await sshd.changeHostKey();
    const changed = await run(['server', 'test', 'Good']);
    expect(changed.json).toMatchObject({ exit: 1, items: [{ code: 'host_key_changed' }] });
    const [row] = (await run(['server', 'list'])).json.items;
    expect(row).toMatchObject({ host_key: known, host_key_seen: sshd.hostKey() });
    const accept = (key: string, ...more: string[]) => run(['server', 'accept-key', 'Good', '--key', key, ...more]);
    expect((await accept(known)).json).toMatchObject({ exit: 1, error: { code: 'other_key' } });
    expect((await accept('yes')).exit).toBe(2);
    expect((await run(['server', 'accept-key', 'Good'])).exit).toBe(2);
    await run(['user', 'create', '--login', 'worker', '--password-stdin'], 'correct horse battery\n');
    expect((await accept(sshd.hostKey(), '--as', 'worker')).exit).toBe(4);
    expect((await run(['server', 'keep-key', 'Good'])).exit).toBe(0);
    expect((await run(['server', 'keep-key', 'Good'])).json).toMatchObject({ exit: 1, error: { code: 'no_new_key' } });
    await run(['server', 'test', 'Good']);
    expect((await accept(sshd.hostKey())).json).toMatchObject({ ok: true });
    expect((await run(['server', 'test', 'Good'])).exit).toBe(0);
  });
});
