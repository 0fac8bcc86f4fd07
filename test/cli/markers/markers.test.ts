// Puts a marker into every secret field, uses everything, kills the server, and searches every byte it stored or sent.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PASSWORD } from '../cli.ts';
import { found, type Marker, MARKERS } from './secrets.ts';
import {
  answers,
  ask,
  cli,
  home,
  listening,
  plant,
  probe,
  readAll,
  runs,
  serving,
  signIn,
  use,
  useServer,
  withoutAllowed,
} from './callers.ts';
import { takeNotices, tell } from './notices.ts';
import { asked } from './outside.ts';
import { useHeartbeat, usePeople } from './people.ts';
import { plantSearch, useSearch } from './search.ts';

useServer();

/** Returns every file below a folder, with its bytes. */
function filesOf(folder: string): [path: string, bytes: Buffer][] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesOf(path) : [[path, readFileSync(path)] as [string, Buffer]];
  });
}

test('a marker from every secret field appears only in the cells of callers who may see it', async () => {
  const admin = await signIn('admin', PASSWORD, true);
  for (const login of ['owner', 'other']) {
    await ask(admin, 'POST /api/users', { login, password: PASSWORD });
  }
  const [owner, other] = [await signIn('owner', PASSWORD, true), await signIn('other', PASSWORD, false)];
  const ids = await plant(owner, admin);
  const signing = await takeNotices(owner, admin);
  const search = await plantSearch(owner);
  await listening(admin, () => listening(other, () => use(owner, ids)));
  let told = '';
  await listening(admin, () => listening(other, async () => void (told = await useSearch(owner, search))));
  await use(other, ids);
  let used: number[] = [];
  await listening(admin, async () => {
    used = await usePeople(admin);
    await useHeartbeat(admin);
  });
  for (const caller of [owner, admin, other]) await readAll(caller);
  await probe();
  for (const line of [
    'cloudflare list --json',
    'cloudflare test --json',
    'server list',
    'operation list --json',
    'doctor',
  ]) {
    await cli(line);
  }
  await cli('protect tls off --all --yes');
  await cli(`db backup ${join(home.dir, 'backup.sqlite')}`);
  const wrong = { SEO_ADMIN_BACKUP_PASSPHRASE: MARKERS['wrong passphrase of a backup'] };
  await cli(`db restore ${join(home.dir, 'backup.sqlite')} --yes`, undefined, wrong);
  await cli('blocklist update');
  await cli('blocklist update --json');
  const heard = await tell(signing);
  serving.process.kill('SIGKILL');
  const { stdout, stderr } = await serving.ended;

  // Proves that the markers were really stored and used.
  expect(answers.others.some(({ text }) => text.includes('seo_admin_job_end_age_seconds'))).toBe(true);
  const seen = found(answers.may.map(({ text }) => text).join('\n'));
  expect(seen).toEqual(expect.arrayContaining(['api_key by the API', 'ssh_password by the API']));
  expect(seen).toContain('api_key by the command line');
  expect(seen).toEqual(expect.arrayContaining(['key of XMLRiver by the API', 'token of Arsenkin by the API']));
  expect(seen).toEqual(expect.arrayContaining(['key of XMLRiver by the command line']));
  expect(stderr).toContain('"path":"/api/cloudflare_accounts"');
  // An address that the service repeats is told without its query, which has the key.
  expect(told).toMatch(/\/search(?:_yandex)?\/xml /);
  expect(told).not.toMatch(/user=|key=/);

  // An app's secret is no code, a recovery code works once, and a token reads until it is revoked.
  expect(used).toEqual([401, 200, 401, 200, 200, 403, 403, 403]);
  expect(asked.join(' ')).toContain(MARKERS['path of a heartbeat']);

  const leaks = (where: string, bytes: Buffer | string): string[] => found(bytes).map((field) => `${where}: ${field}`);
  expect([
    ...answers.others.flatMap(({ text }) => leaks('an answer to another', text)),
    ...answers.may.flatMap(({ text }) => leaks('an answer outside of its cells', withoutAllowed(text))),
    ...answers.may.concat(answers.others).flatMap(({ headers }) => leaks('a header', JSON.stringify(headers))),
    ...leaks('the log', stdout + stderr),
    ...heard.flatMap((text) => leaks('a notice', text)),
    ...runs.flatMap((run) => leaks('the command line', run.stdout + run.stderr)),
    ...filesOf(home.dir).flatMap(([path, bytes]) => leaks(path.slice(home.dir.length), bytes)),
  ]).toEqual([]);
  // The key that signs the calls of a webhook is shown by the answer that made it, and by nothing else.
  expect(signing.length).toBeGreaterThan(20);
  const shown = answers.may.concat(answers.others).filter(({ text }) => text.includes(signing));
  expect(shown).toHaveLength(1);
  const written = [stdout, stderr, ...heard, ...runs.flatMap((run) => [run.stdout, run.stderr])].join('');
  expect(written).not.toContain(signing);
  expect(filesOf(home.dir).filter(([, bytes]) => bytes.includes(signing))).toEqual([]);
  expect(filesOf(home.dir).map(([path]) => path.slice(home.dir.length + 1))).toEqual(
    expect.arrayContaining(['seo-admin.sqlite', 'seo-admin.sqlite-wal', 'backup.sqlite', 'key']),
  );
});

test.each(Object.keys(MARKERS) as Marker[])('the search finds its marker: %s', (field) => {
  const secret = MARKERS[field];
  const texts = [
    secret,
    JSON.stringify({ secret }),
    encodeURIComponent(secret),
    Buffer.from(`Basic me:${secret}`).toString('base64'),
    Buffer.from(secret).toString('hex'),
  ];
  for (const text of texts) expect(found(`before ${text} after`)).toEqual([field]);
  expect(found(Buffer.from(`before ${secret}`, 'utf16le'))).toEqual([field]);
});
