import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../db/index.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { pidSpace } from '../../src/lib/lock-file.ts';
import { makeAdminHome, type Home } from './cli.ts';

let home: Home;
beforeAll(async () => {
  home = await makeAdminHome();
});
afterAll(() => home.remove());

const inDatabase = async <T>(work: () => Promise<T>): Promise<T> => {
  await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
  try {
    return await work();
  } finally {
    await closeDatabase();
  }
};
const applied = () => inDatabase(() => select<{ name: string }>('SELECT name FROM migrations ORDER BY name'));

test('`db status` and `db backup` migrate nothing, with --as neither', async () => {
  const all = await applied();
  const last = all.at(-1)?.name ?? '';
  await inDatabase(() => transaction(() => execute('DELETE FROM migrations WHERE name = $last', { last })));
  for (const as of [[], ['--as', 'admin']]) {
    const { exit, json } = await home.run(['db', 'status', '--json', ...as]);
    expect([exit, json.pending]).toEqual([0, [last]]);
    expect((await home.run(['db', 'backup', `${home.dir}/copy${as.length}.sqlite`, ...as])).exit).toBe(0);
    expect(await applied()).toEqual(all.slice(0, -1));
  }
  const restore = `INSERT INTO migrations (name, applied_at) VALUES ($last, '2026-01-01T00:00:00.000Z')`;
  await inDatabase(() => transaction(() => execute(restore, { last })));
});

test('`db status` and `db migrate` are refused to users who are no administrators', async () => {
  const created = await home.run(['user', 'create', '--login', 'bob', '--password-stdin'], {
    input: 'correct horse battery',
  });
  expect(created.exit).toBe(0);
  for (const words of [
    ['db', 'status'],
    ['db', 'migrate'],
  ]) {
    expect((await home.run([...words, '--as', 'bob', '--json'])).json.error.code).toBe('forbidden');
  }
});

test('`db drill` proves a backup; one that is killed leaves nothing behind once the next has run; a damaged one is refused', async () => {
  const folder = `${home.dir}/backups`;
  const drafts = () => readdirSync(folder).filter((name) => name.includes('.part'));
  expect((await home.run(['db', 'drill', '--json'])).json.error.code).toBe('no_backup');
  expect((await home.run(['schedule', 'run', 'backup', '--yes'])).exit).toBe(0);
  const killed = await home.run(['db', 'drill'], { env: { SEO_ADMIN_CRASH_AT: 'drill:restored', NODE_ENV: 'test' } });
  expect([killed.exit, drafts().length]).not.toEqual([0, 0]);
  const { exit, json } = await home.run(['db', 'drill', '--json']);
  expect([exit, json.compared, json.rows > 0, drafts()]).toEqual([0, true, true, []]);
  truncateSync(json.file, 4_096);
  const damaged = await home.run(['db', 'drill', json.file, '--json']);
  expect([damaged.exit, damaged.json.error.code]).toEqual([1, 'backup_damaged']);
});

test('drafts that a killed `db backup` has left go with the next one into that folder, and with `doctor`', async () => {
  const gone = `999999999-${pidSpace()}-12345678.part`;
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-kept-'));
  const drafts = (where: string) => readdirSync(where).filter((name) => name.includes('.part'));
  for (const where of [folder, home.dir]) {
    for (const suffix of ['', '-journal']) writeFileSync(join(where, `old.sqlite.${gone}${suffix}`), 'half');
  }
  expect((await home.run(['db', 'backup', join(folder, 'new.sqlite')])).exit).toBe(0);
  expect(drafts(folder)).toEqual([]);
  await home.run(['doctor']);
  expect(drafts(home.dir)).toEqual([]);
  rmSync(folder, { recursive: true });
});

test('`db restore` tries a passphrase that it is given, and its help says what that opens', async () => {
  const pass = home.file('pass', 'correct horse battery');
  const bad = home.file('bad', 'another horse battery');
  const file = join(home.dir, 'sealed.sqlite');
  expect((await home.run(['db', 'backup', file, '--passphrase-file', pass])).exit).toBe(0);
  const restore = (given: string) => home.run(['db', 'restore', file, '--passphrase-file', given, '--yes', '--json']);
  const refused = await restore(bad);
  expect([refused.exit, refused.json.error?.message]).toEqual([1, expect.stringContaining('.key.sealed')]);
  expect((await restore(pass)).json).toMatchObject({ ok: true, key: 'same' });
  const help = async (verb: string) => (await home.run(['db', verb, '--help', '--lang', 'en'])).stdout;
  expect(await help('restore')).toContain('open the key beside it');
  expect(await help('drill')).toContain('open the key beside it');
  expect(await help('backup')).toContain('seal the key beside it');
});

test('a restore that is killed between database and key is run again, as the next command advises', async () => {
  const other = await makeAdminHome();
  const pass = home.file('pass', 'correct horse battery');
  const file = join(home.dir, 'moved.sqlite');
  expect((await home.run(['db', 'backup', file, '--passphrase-file', pass])).exit).toBe(0);
  for (const key of [Buffer.alloc(32, 7).toString('base64'), null]) {
    rmSync(join(other.dir, 'key'));
    if (key !== null) writeFileSync(join(other.dir, 'key'), key, { mode: 0o600 });
    const restore = ['db', 'restore', file, '--passphrase-file', pass, '--yes', '--json'];
    const killed = await other.run(restore, { env: { SEO_ADMIN_CRASH_AT: 'restore:placed', NODE_ENV: 'test' } });
    expect(killed.stdout).toBe('');
    const { exit, json } = await other.run(['domain', 'list', '--json', '--lang', 'en']);
    expect([exit, json.error.message]).toEqual([
      4,
      expect.stringMatching(/seo-admin db restore was cut short, run it again\. .* \.key\.sealed/),
    ]);
    expect((await other.run(restore)).json).toMatchObject({ ok: true, key: 'restored' });
    expect((await other.run(['domain', 'list', '--json'])).exit).toBe(0);
  }
  other.remove();
});

test('a key that was sealed by a file with a byte order mark is opened by the words, and by that file', async () => {
  const marked = home.file('marked', '\uFEFFlong passphrase here\r\n');
  const words = { env: { SEO_ADMIN_BACKUP_PASSPHRASE: 'long passphrase here' } };
  const file = join(home.dir, 'marked.sqlite');
  expect((await home.run(['db', 'backup', file, '--passphrase-file', marked])).exit).toBe(0);
  for (const [flags, options] of [[[], words] as const, [['--passphrase-file', marked], {}] as const]) {
    rmSync(join(home.dir, 'key'));
    const { json } = await home.run(['db', 'restore', file, ...flags, '--yes', '--json'], options);
    expect(json).toMatchObject({ ok: true, key: 'restored' });
  }
});

test('nothing but a file is replaced by a backup or filled by a copy, and no file of the installation', async () => {
  const pipe = home.file('pipe', '');
  rmSync(pipe);
  execFileSync('mkfifo', [pipe]);
  const own = ['seo-admin.sqlite-wal', 'seo-admin.config.json', 'blocklist/list'].map((name) => join(home.dir, name));
  for (const words of [
    ['db', 'backup', '--yes'],
    ['db', 'copy', '--dry-run'],
    ['db', 'copy'],
  ]) {
    const write = async (path: string) => {
      const { exit, stderr } = await home.run([
        ...words,
        words[1] === 'copy' ? `sqlite:${path}` : path,
        '--lang',
        'en',
      ]);
      return { words, exit, stderr };
    };
    const told = `seo-admin: this is no ordinary file, but a device, a pipe or a socket: ${pipe}\n`;
    expect(await write(pipe)).toEqual({ words, exit: 1, stderr: told });
    for (const path of own) {
      const said = `seo-admin: this file is one of the installation itself: ${path}. Choose another name\n`;
      expect(await write(path)).toEqual({ words, exit: 2, stderr: said });
      expect(existsSync(path)).toBe(false);
    }
  }
  expect(lstatSync(pipe).isFIFO()).toBe(true);
});

test('a file that is too long for a secret, such as one without an end, is refused before it is read to the end', async () => {
  const long = home.file('long', Buffer.alloc(2 ** 20 + 1, 'x'));
  for (const line of ['db backup new.sqlite --passphrase-file', 'user passwd admin --password-file']) {
    const { exit, stderr } = await home.run([...line.split(' '), long, '--lang', 'en']);
    expect([exit, stderr]).toEqual([2, `seo-admin: This is too long for a secret: ${long}\n`]);
  }
});
