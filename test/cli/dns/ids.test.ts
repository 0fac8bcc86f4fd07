// Ids of domains in the place of their names, and what commands answer where something is to be set up first.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BIN, PASSWORD, type Run } from '../cli.ts';
import { startZones, type Zones } from './world.ts';

let world: Zones;
const ids: Record<string, number> = {};

beforeAll(async () => {
  world = await startZones('one.com', 'two.com');
  await run('project create P');
  await run('domain add bare.com --project P');
  for (const { id, domain_name } of (await run('domain list')).json.items) ids[domain_name] = id;
});
afterAll(() => world.close());

const run = (line: string, env: Record<string, string> = {}, input?: string): Promise<Run> =>
  world.home.run([...line.split(' '), '--json', '--lang', 'en'], {
    env: { ...world.env, ...env },
    ...(input !== undefined && { input }),
  });

test('an id stands for the name of a domain, alone and among names', async () => {
  const { 'one.com': one, 'two.com': two } = ids;
  expect((await run(`domain show ${one}`)).json).toMatchObject({ ok: true, domain_name: 'one.com' });
  for (const line of ['dns list', 'rules list', 'why --stored', 'transfer history', 'check history']) {
    expect([line, (await run(`${line} ${one}`)).exit]).toEqual([line, 0]);
  }
  const http = await run(`check http ${one} two.com`, { SEO_ADMIN_CONNECT_TO: '::127.0.0.1:9' });
  const namesOf = ({ json }: Run): string[] => json.items.map(({ domain }: { domain: string }) => domain);
  expect(namesOf(http)).toEqual(['one.com', 'two.com']);
  expect(namesOf(await run(`check redirects ${two} --dry-run`))).toEqual(['two.com']);
  const list = world.home.file('list.txt', 'one.com\n');
  expect((await run(`blocklist update --file ${list}`)).exit).toBe(0);
  expect((await run(`check blocked ${one},${two}`)).json.items).toMatchObject([
    { domain: 'one.com', status: 'blocked' },
    { domain: 'two.com', status: 'free' },
  ]);
  const plan = await run(`protect under-attack enable ${one} ${two} --dry-run`);
  expect(plan.json.items.map(({ item }: { item: string }) => item)).toEqual([
    'under_attack one.com',
    'under_attack two.com',
  ]);
});

test('an id that the actor does not see is no domain, and where names may be new it is no name', async () => {
  await run('user create --login bob --password-stdin', {}, PASSWORD);
  for (const line of ['domain show 999', 'check http 999 one.com', `domain show ${ids['one.com']} --as bob`]) {
    const { exit, json } = await run(line);
    expect([line, exit, json.error.message]).toEqual([line, 1, expect.stringMatching(/^No such domain: \d+$/)]);
  }
  for (const line of ['check blocked 999', `domain add ${ids['one.com']}`]) {
    expect([line, (await run(line)).exit]).toEqual([line, 2]);
  }
});

test('a command on something that is not set up yet, or that was refused, ends with 4', async () => {
  for (const line of [
    'dns list bare.com',
    'rules list bare.com',
    'protect tls on bare.com --yes',
    'autobuy run --project P --yes',
  ]) {
    expect([line, (await run(line)).exit]).toEqual([line, 4]);
  }
  const planned = await run('autobuy run --project P --dry-run');
  expect(planned).toMatchObject({ exit: 4, json: { dry_run: true, error: { code: 'nothing_to_buy' } } });
  expect(planned.json.error.message).toBe(planned.json.refusal);
  const { logins } = world.outside.state;
  world.outside.state.logins = [];
  for (const line of ['dns list one.com', 'rules list one.com'])
    expect([line, (await run(line)).exit]).toEqual([line, 4]);
  world.outside.state.logins = logins;
});

test('a pipe of empty lines is a list without names; one that holds nothing, as cron gives it, is no list', () => {
  const script = (writer: string) => `${writer} | "$0" "$1" check blocked --csv --data-dir ${world.home.dir}`;
  const piped = (writer: string) =>
    spawnSync('sh', ['-c', script(writer), process.execPath, BIN], { encoding: 'utf8' });
  const { status, stdout } = piped('echo');
  expect([status, stdout]).toEqual([0, 'domain,status,reason,entry,url_listed\r\n']);
  expect(piped('true').status).toBe(2);
});

test('a list is read from standard input', async () => {
  const updated = await run('blocklist update --accept --file -', {}, 'one.com\nnew.com\n');
  expect(updated.json).toMatchObject({ ok: true, source: 'stdin', entries: { exact: 2 } });
});
