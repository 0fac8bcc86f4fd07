import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyThird } from '../support/vitest/turns.ts';
import { eachOf, makeAdminHome, type Home } from './cli.ts';

let home: Home;
beforeAll(async () => {
  home = await makeAdminHome();
});
afterAll(() => home.remove());

describe('exit codes', () => {
  const table: [string, number, string?][] = [
    ['', 2],
    ['nonsense', 2],
    ['user', 2],
    ['user lst', 2],
    ['user list --nope', 2],
    ['user list extra', 2],
    ['user create', 2],
    ['user create --login a --role root', 2],
    ['user create --login a', 2],
    ['user create --login a --password-stdin', 2, 'short'],
    ['user create --login a --password-file /nowhere/at/all', 1],
    ['user create --login ADMIN --password-stdin', 1, 'correct horse battery'],
    ['user passwd nobody --password-stdin', 1, 'correct horse battery'],
    ['user disable admin', 1],
    ['user enable nobody', 1],
    ['user enable', 2],
    ['user role admin user', 1],
    ['user role admin root', 2],
    ['user role nobody admin', 1],
    ['user reset-second-factor nobody', 1],
    ['token create', 2],
    ['token create a --days 366', 2],
    ['token revoke 999', 1],
    ['user list --as nobody', 1],
    ['user list --format yaml', 2],
    ['user list --lang de', 2],
    ['serve --port 99999', 2],
    ['serve --port x', 2],
    ['check blocked', 2],
    ['check blocked a.ru --all', 2],
    ['check blocked a.ru', 4],
    ['check blocked -', 0, ''],
    ['check blocked -', 2, '%%%'],
    ['check http a.ru --timeout 0', 2],
    ['check http a.ru --scheme ftp', 2],
    ['check http --project nothing', 1],
    ['domain show unknown.ru', 1],
    ['domain show %%%', 2],
    ['domain remove unknown.ru', 1],
    ['domain set unknown.ru --mode manual --yes', 1],
    ['domain set unknown.ru', 2],
    ['domain set --filter stat=x --mode auto --yes', 2],
    ['domain set unknown.ru --filter all --mode auto', 2],
    ['domain undo x', 2],
    ['domain undo 999999', 1],
    ['domain add', 2],
    ['domain import /nowhere/at/all.csv', 1],
    ['project remove nothing', 1],
    ['operation show 999', 1],
    ['operation show x', 2],
    ['name generate {a', 2],
    ['name generate {a|b}.ru --count 0', 2],
    ['name check ok.ru', 0],
    ['name check-template {a|b}.ru', 0],
    ['name check-template {a', 1],
    ['db restore /nowhere.sqlite --yes', 1],
    ['db status', 0],
    ['status', 0],
    ['status extra', 2],
    ['top', 0],
    ['top extra', 2],
    ['status --fail-on nothing', 2],
    ['why', 2],
    ['why unknown.ru', 1],
    ['why unknown.ru --stored --nope', 2],
    ['doctor', 0],
    ['setup-link', 1],
    ['init', 0],
    ['completion tcsh', 2],
    ['help nonsense', 2],
    ['--version', 0],
    ['--help', 0],
  ];

  // Every third line is run; all in `npm run test:long`.
  test('are those of the contract', async () => {
    await eachOf(everyThird(table, 1), async ([line, exit, input]) => {
      const run = await home.run(line.split(' ').filter(Boolean), input === undefined ? {} : { input });
      expect({ line, exit: run.exit, stderr: run.stderr.slice(0, 300) }).toEqual(
        expect.objectContaining({ line, exit }),
      );
    });
  });

  test('are 4 for a wrong configuration, with a message that names the setting', async () => {
    const run = await home.run(['user', 'list', '--json'], { env: { SEO_ADMIN_LOG: 'loud' } });
    expect(run.exit).toBe(4);
    expect(run.json.error).toEqual({ code: 'bad_configuration', message: expect.stringContaining('SEO_ADMIN_LOG') });
  });

  test('are 4 for a wrong configuration also where a command reads nothing of it, but for help', async () => {
    const env = { SEO_ADMIN_LOG: 'loud' };
    const run = await home.run(['name', 'check', 'a.ru', '--lang', 'en'], { env });
    expect([run.exit, run.stdout]).toEqual([4, '']);
    expect(run.stderr).toMatch(/SEO_ADMIN_LOG .*Allowed: silent, error, warn, info, debug, trace\n$/);
    expect((await home.run(['help', 'environment'], { env })).exit).toBe(0);
    const typo = await home.run(['name', 'check', 'a.ru', '--lang', 'en'], { env: { SEO_ADMIN_DNSS: 'x' } });
    expect([typo.exit, typo.stderr.includes('SEO_ADMIN_DNS?')]).toEqual([4, true]);
  });

  test('are 4 for a user of --as without the right', async () => {
    await home.run(['user', 'create', '--login', 'bob', '--password-stdin'], { input: 'correct horse battery' });
    expect((await home.run(['user', 'list', '--as', 'bob'])).exit).toBe(4);
    expect((await home.run(['--as', 'bob', 'project', 'list'])).exit).toBe(0);
    expect((await home.run(['db', 'backup', '/nowhere', '--as', 'bob'])).exit).toBe(4);
  });
});
