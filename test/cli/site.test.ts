// site deploy and site show, against a real OpenSSH.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, transaction } from '../../db/index.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { findSshd, startSshd, WEB_ROOT, type Sshd } from '../support/sshd.ts';
import { zipOf } from '../support/zips.ts';
import { makeAdminHome, type Home, type Run } from './cli.ts';

const found = findSshd();
if ('missing' in found) console.log(`Skipped: site deploy: ${found.missing}`);

describe.skipIf('missing' in found)('site', () => {
  let home: Home;
  let sshd: Sshd;
  let page: string;
  const run = (...words: string[]): Promise<Run> => home.run([...words, '--json', '--lang', 'en']);
  const onDisk = (name: string): string => sshd.local(`${WEB_ROOT}/${name}`);

  beforeAll(async () => {
    [home, sshd] = await Promise.all([makeAdminHome(), startSshd()]);
    const good = async (words: string[], input?: string): Promise<void> => {
      const { exit, stderr } = await home.run(words, input === undefined ? {} : { input });
      if (exit !== 0) throw new Error(stderr);
    };
    const zip = home.file('promo.zip', zipOf({ 'index.html': '<h1>TITLE</h1>BODY', 'a/b.txt': 'SITE_URL' }));
    page = home.file('page.html', '<title>Hello</title><body><p>There</p></body>');
    await good(['template', 'add', zip]);
    const { user, secret } = sshd.login;
    await good(
      ['server', 'add', 'srv', '--host', `127.0.0.1:${sshd.port}`, '--user', user, '--password-stdin'],
      secret,
    );
    await good(['domain', 'add', 'one.com', 'no-server.com', 'empty.com']);
    await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
    await transaction(async () => {
      for (const name of ['one.com', 'empty.com']) {
        await execute('UPDATE domains SET server_id = 1, file_path = $path WHERE domain_name = $name', {
          name,
          path: sshd.remote(`${WEB_ROOT}/${name}`),
        });
      }
    });
  });
  afterAll(async () => {
    await closeDatabase();
    await sshd.close();
    home.remove();
  });

  test('is planned, deployed, shown and deployed again', async () => {
    const rehearsal = await run('site', 'deploy', 'one.com', '--template', 'promo', '--html', page, '--dry-run');
    expect(rehearsal.json).toMatchObject({
      ok: true,
      dry_run: true,
      items: [
        { item: 'site one.com', act: 'upload', after: { files: 2, new_files: 2 } },
        { act: 'activate', before: null },
      ],
    });
    expect(existsSync(onDisk('.releases'))).toBe(false);
    expect((await run('site', 'show', 'one.com')).exit).toBe(1);
    const people = await home.run([
      'site',
      'deploy',
      'one.com',
      '--template',
      '1',
      '--html',
      page,
      '--dry-run',
      '--lang',
      'en',
    ]);
    expect(people.stdout).toMatch(/files of the site: 2, to send 2[^]*release of the site: no site →/);

    expect((await run('site', 'deploy', 'one.com', '--template', 'promo', '--html', page)).exit).toBe(2);
    const deployed = await run('site', 'deploy', 'one.com', '--template', 'promo', '--html', page, '--yes');
    expect(deployed.json).toMatchObject({ ok: true, kind: 'deploy', state: 'succeeded', items: [{ state: 'done' }] });
    expect(readFileSync(onDisk('one.com/index.html'), 'utf8')).toBe('<h1>Hello</h1><p>There</p>');
    expect(readFileSync(onDisk('one.com/a/b.txt'), 'utf8')).toBe('one.com');
    const [shown] = (await run('site', 'show', 'one.com')).json.items;
    expect(shown).toMatchObject({
      template_name: 'promo',
      html_name: 'page.html',
      server_name: 'srv',
      deploying: null,
    });
    expect(readdirSync(onDisk('.releases/one.com'))).toEqual([shown.release]);
    const again = await run('site', 'deploy', 'one.com', '--yes');
    expect(again.json).toMatchObject({ ok: true, state: 'succeeded', counts: { noop: 1 } });
  });

  test('gets a new page, and operation restore brings the former one back', async () => {
    const second = home.file('second.html', '<p>Second</p>');
    const { json } = await run('site', 'deploy', 'one.com', '--template', 'promo', '--html', second, '--yes');
    expect(readFileSync(onDisk('one.com/index.html'), 'utf8')).toBe('<h1></h1><p>Second</p>');
    const back = await run('operation', 'restore', String(json.id), '--yes');
    expect(back.json).toMatchObject({ ok: true, state: 'succeeded' });
    expect(readFileSync(onDisk('one.com/index.html'), 'utf8')).toBe('<h1>Hello</h1><p>There</p>');
  });

  test.each<[string, string[], number, string]>([
    ['no server', ['no-server.com', '--template', 'promo', '--html', 'PAGE'], 1, 'no_server'],
    ['no page', ['empty.com', '--template', 'promo'], 1, 'site_incomplete'],
    ['no template', ['empty.com', '--html', 'PAGE'], 1, 'site_incomplete'],
    ['an unknown template', ['empty.com', '--template', 'none', '--html', 'PAGE'], 1, 'not_found'],
    ['an unknown domain', ['unknown.com', '--template', 'promo', '--html', 'PAGE'], 1, 'not_found'],
    ['a page that is none', ['empty.com', '--template', 'promo', '--html', 'ZIP'], 2, 'invalid'],
    ['a page that is not there', ['empty.com', '--template', 'promo', '--html', '/nowhere.html'], 1, 'enoent'],
  ])('is refused with a message, and nothing is stored: %s', async (_, words, exit, code) => {
    const zip = home.file('page.zip', zipOf({ 'index.html': 'x' }));
    const typed = words.map((word) => (word === 'PAGE' ? page : word === 'ZIP' ? zip : word));
    for (const more of [['--yes'], ['--dry-run']]) {
      const { json } = await run('site', 'deploy', ...typed, ...more);
      expect([json.exit, json.error?.code, json.error?.message]).toEqual([exit, code, expect.any(String)]);
    }
    expect((await run('site', 'show', typed[0] ?? '')).exit).toBe(1);
  });

  test('is refused with all that it lacks', async () => {
    const { json } = await run('site', 'deploy', 'no-server.com', '--yes');
    expect([json.exit, json.error?.code]).toEqual([1, 'site_incomplete']);
    expect(Object.keys(json.error?.fields ?? {})).toEqual(['template_id', 'html_file', 'server_id']);
  });
});
