import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_BLOCKLIST_URL, loadConfig } from '../../src/lib/config.ts';
import { deriveKey, loadKey } from '../../src/lib/key.ts';
import { startChild } from '../support/child.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'seo-admin-test-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const write = (settings: unknown) =>
  writeFileSync(
    join(dataDir, 'seo-admin.config.json'),
    typeof settings === 'string' ? settings : JSON.stringify(settings),
  );

test('the defaults hold where nothing is set', () => {
  expect(loadConfig({ dataDir }, {})).toMatchObject({
    dataDir,
    databaseFile: join(dataDir, 'seo-admin.sqlite'),
    keyFile: join(dataDir, 'key'),
    blocklistDir: join(dataDir, 'blocklist'),
    blocklistUrl: DEFAULT_BLOCKLIST_URL,
    publicUrl: null,
    trustedProxies: [],
    allowPrivate: false,
    dns: null,
  });
});

test('flags win over the environment, which wins over the file', () => {
  const other = join(dataDir, 'other');
  write({ SEO_ADMIN_DNS: '127.0.0.1:1', BLOCKLIST_URL: 'https://file.example/' });
  const env = {
    SEO_ADMIN_DATA_DIR: dataDir,
    SEO_ADMIN_DNS: '127.0.0.1:2',
    SEO_ADMIN_TRUSTED_PROXIES: '10.0.0.1, ::ffff:10.0.0.2',
  };
  expect(loadConfig({}, env)).toMatchObject({
    dns: '127.0.0.1:2',
    blocklistUrl: 'https://file.example/',
    trustedProxies: ['10.0.0.1', '10.0.0.2'],
  });
  expect(loadConfig({ dataDir: other }, env)).toMatchObject({ dataDir: other, blocklistUrl: DEFAULT_BLOCKLIST_URL });
  // An empty variable counts as not set.
  expect(loadConfig({ dataDir }, { SEO_ADMIN_DNS: '' }).dns).toBe('127.0.0.1:1');
});

test.runIf(process.platform === 'linux')(
  'the data directory does not depend on the current one: a relative XDG_DATA_HOME and an empty HOME are none',
  () => {
    const folderOf = (env: NodeJS.ProcessEnv): string => loadConfig({}, env).dataDir;
    const ofPerson = join(userInfo().homedir, '.local', 'share', 'seo-admin');
    expect(folderOf({ HOME: '/home/ann', XDG_DATA_HOME: '/srv/data' })).toBe('/srv/data/seo-admin');
    expect(folderOf({ HOME: '/home/ann', XDG_DATA_HOME: 'data' })).toBe('/home/ann/.local/share/seo-admin');
    expect(folderOf({ HOME: '/home/ann', XDG_DATA_HOME: '' })).toBe('/home/ann/.local/share/seo-admin');
    for (const env of [{ HOME: '', XDG_DATA_HOME: '' }, { HOME: 'ann' }, {}]) expect(folderOf(env)).toBe(ofPerson);
    expect(folderOf({ HOME: '', SEO_ADMIN_DATA_DIR: dataDir })).toBe(dataDir);
  },
);

test('an address of PostgreSQL is taken as it is, and one that cannot be parsed is refused without being repeated', () => {
  for (const DATABASE_URL of ['postgres://ann:se%40cret@db.example/seo', 'postgresql:///seo?host=/run/postgresql']) {
    expect(loadConfig({ dataDir }, { DATABASE_URL }).databaseUrl).toBe(DATABASE_URL);
  }
  for (const DATABASE_URL of ['postgres://ann:se#cret@db.example/seo', 'postgres://ann:se%cret@db.example/seo']) {
    expect(() => loadConfig({ dataDir }, { DATABASE_URL })).toThrow(
      expect.objectContaining({
        key: 'config.bad_value',
        params: { name: 'DATABASE_URL', where: 'env', value: '********' },
      }),
    );
  }
});

test('a wrong value is named together with its place, unless it may hold a secret', () => {
  const bad = (name: string, where: string, value: string) => ({
    kind: 'not_configured',
    key: 'config.bad_value',
    params: { name, where, value },
  });
  const file = join(dataDir, 'seo-admin.config.json');
  const refusal = (env: NodeJS.ProcessEnv = {}): unknown => {
    try {
      return loadConfig({ dataDir }, env);
    } catch (error) {
      return error;
    }
  };
  const wrong = {
    SEO_ADMIN_LOG: 'loud',
    SEO_ADMIN_PUBLIC_URL: 'panel.example',
    SEO_ADMIN_LANG: 'de',
    BLOCKLIST_URL: 'ftp://list.example/',
  };
  for (const [name, value] of Object.entries(wrong))
    expect(refusal({ [name]: value })).toMatchObject(bad(name, 'env', value));
  const secret = {
    DATABASE_URL: 'mysql://x',
    TELEGRAM_BOT_TOKEN: '123 456',
    SEO_ADMIN_BACKUP_PASSPHRASE: 'nine char',
    SEO_ADMIN_SMTP_URL: 'smtp.example',
    BLOCKLIST_URL: 'ftp://ann:secret@list.example/',
    RDAP_URL: 'rdap.example?key=secret',
    SEO_ADMIN_PUBLIC_URL: 'https://seo.example/?key=secret',
  };
  for (const [name, value] of Object.entries(secret))
    expect(refusal({ [name]: value })).toMatchObject(bad(name, 'env', '********'));
  expect(refusal({ SEO_ADMIN_PUBLIC_URL: 'http://[' })).toMatchObject(bad('SEO_ADMIN_PUBLIC_URL', 'env', 'http://['));
  write({ SEO_ADMIN_ALLOW_PRIVATE_TARGETS: true });
  expect(refusal()).toMatchObject(bad('SEO_ADMIN_ALLOW_PRIVATE_TARGETS', file, 'true'));
  write({ SEO_ADMIN_BACKUP_PASSPHRASE: 'short' });
  expect(refusal()).toMatchObject(bad('SEO_ADMIN_BACKUP_PASSPHRASE', file, '********'));
  write({ SEO_ADMIN_DNSS: 'x' });
  expect(refusal()).toMatchObject({ key: 'config.unknown_key', params: { nearest: 'SEO_ADMIN_DNS' } });
  expect(refusal({ SEO_ADMIN_TRUSTED_PROXYS: 'x' })).toMatchObject({
    key: 'config.unknown_key',
    params: { name: 'SEO_ADMIN_TRUSTED_PROXYS', where: 'env', nearest: 'SEO_ADMIN_TRUSTED_PROXIES' },
  });
  expect(refusal({ SEO_ADMIN_LNAG: 'x' })).toMatchObject({ params: { nearest: 'SEO_ADMIN_LANG' } });
  for (const name of ['SEO_ADMIN_FOO_BAR_BAZ', 'SEO_ADMIN_CRASH_A', 'SEO_ADMIN_TEST_BROWSERS']) {
    expect(refusal({ [name]: 'x' })).toMatchObject({
      key: 'config.unknown_key',
      params: { nearest: expect.not.stringMatching(/CRASH|TEST/) },
    });
  }
  for (const [name, nearest] of [
    ['log', 'SEO_ADMIN_LOG'],
    ['publicUrl', 'SEO_ADMIN_PUBLIC_URL'],
    ['rdap-url', 'RDAP_URL'],
  ] as const) {
    write({ [name]: 'x' });
    expect(refusal()).toMatchObject({ key: 'config.unknown_key', params: { name, where: file, nearest } });
  }
  for (const name of ['dataDirr', 'dataDir', 'SEO_ADMIN_DATA_DIR']) {
    write({ [name]: 'x' });
    const params = { name, where: file, nearest: 'SEO_ADMIN_DATA_DIR' };
    expect(refusal()).toMatchObject({ key: 'config.unknown_in_file', params });
  }
  write('{');
  expect(refusal()).toMatchObject({ key: 'config.not_json' });
});

test('the file may begin with the mark that editors of Windows write', () => {
  writeFileSync(join(dataDir, 'seo-admin.config.json'), '\uFEFF{"SEO_ADMIN_LANG": "en"}');
  expect(loadConfig({ dataDir }, {}).language).toBe('en');
});

test.each([
  ['SEO_ADMIN_CONNECT_TO', 'nowhere', '::127.0.0.1:8080, a.example:443:[::1]:'],
  ['SEO_ADMIN_CONNECT_TO', '::127.0.0.1:99999', '::127.0.0.1:'],
  ['SEO_ADMIN_DNS', 'ns.example', '[::1]:53'],
  ['SEO_ADMIN_PUBLIC_URL', 'https://seo.example/panel', 'https://seo.example'],
  ['SEO_ADMIN_PUBLIC_URL', 'https://seo.example/panel/', 'https://seo.example/'],
  ['SEO_ADMIN_PUBLIC_URL', 'https://seo.example/#top', 'https://Seo.Example:8443/'],
  ['SEO_ADMIN_PUBLIC_URL', 'https://seo.example#', 'http://[::1]:4180'],
  ['SEO_ADMIN_PUBLIC_URL', 'https://seo.example//', 'https://пример.рф'],
  ['SEO_ADMIN_PUBLIC_URL', 'https://seo.example\\panel', 'http://192.0.2.1:8080/'],
  ['SEO_ADMIN_DNS', '127.0.0.1:0', '127.0.0.1'],
  ['WHOIS_SERVER', 'whois.example:0', 'whois.example:43'],
  ['WHOIS_SERVER', '127.0.0.1:99999', '127.0.0.1:65535'],
  ['SEO_ADMIN_TRUSTED_PROXIES', '10.0.0.0/8', '10.0.0.1, ::1'],
  ['SEO_ADMIN_TRUSTED_PROXIES', '10.0.0.1, proxy', '10.0.0.1 10.0.0.2'],
])('%s is no %s, and may be %s', (name, wrong, right) => {
  expect(() => loadConfig({ dataDir }, { [name]: wrong })).toThrow(
    expect.objectContaining({ key: 'config.bad_value', params: { name, where: 'env', value: wrong } }),
  );
  expect(() => loadConfig({ dataDir }, { [name]: right })).not.toThrow();
});

test('a key is generated once, readable by its owner alone', () => {
  const path = join(dataDir, 'deep', 'key');
  const key = loadKey(path);
  expect([key.length, statSync(path).mode & 0o777]).toEqual([32, 0o600]);
  expect(loadKey(path)).toEqual(key);
});

test('a key that is short or that others can read is refused', () => {
  const path = join(dataDir, 'key');
  writeFileSync(path, Buffer.alloc(16).toString('base64'), { mode: 0o600 });
  expect(() => loadKey(path)).toThrow(expect.objectContaining({ key: 'config.key_short' }));
  writeFileSync(path, '');
  expect(() => loadKey(path)).toThrow(expect.objectContaining({ key: 'config.key_short' }));
  const open = join(dataDir, 'open');
  writeFileSync(open, Buffer.alloc(32).toString('base64'), { mode: 0o644 });
  expect(() => loadKey(open)).toThrow(expect.objectContaining({ key: 'config.key_readable' }));
});

test('each purpose has a key of its own', () => {
  const key = Buffer.alloc(32, 5);
  expect(deriveKey(key, 'a')).toEqual(deriveKey(key, 'a'));
  expect(deriveKey(key, 'a')).not.toEqual(deriveKey(key, 'b'));
  expect(deriveKey(key, 'a')).not.toEqual(key);
});

test('processes that start at once have one key', async () => {
  mkdirSync(join(dataDir, 'new'));
  const children = Array.from({ length: 3 }, () =>
    startChild('test/children/access/key.ts', [join(dataDir, 'new', 'key')]),
  );
  expect(new Set(await Promise.all(children.map((child) => child.output()))).size).toBe(1);
});
