// Failures of commands: each names what it is about, ends with the code of its kind, and reaches the document.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAdminHome, type Home, type Run } from '../cli.ts';

let home: Home;
beforeAll(async () => {
  home = await makeAdminHome();
});
afterAll(() => home.remove());

describe('failures', () => {
  test('in a template are listed in the document of `name check-template`', async () => {
    const { json, stderr } = await home.run(['name', 'check-template', '{a', '--json', '--lang', 'en']);
    expect(json).toMatchObject({ ok: false, exit: 1, valid: false, error: { code: 'bad_template' } });
    expect(json.errors.length).toBeGreaterThan(0);
    expect(stderr).toContain(json.errors[0]);
  });

  test('to find something name its kind and the typed name, for each of several', async () => {
    const told = async (line: string) => (await home.run(`${line} --lang en`.split(' '))).stderr;
    expect(await told('domain show nope.ru')).toContain('No such domain: nope.ru');
    expect(await told('domain show %%%')).toBe('seo-admin: %%%: Incorrect URL\n');
    expect(await told('transfer plan a.ru/x b.ru')).toBe('seo-admin: a.ru/x: Incorrect URL\n');
    expect(await told('dns set a_b --account 1 --server 1')).toBe('seo-admin: a_b: Incorrect URL\n');
    expect(await told('domain list --project Nope')).toContain('No such project: Nope');
    expect(await told('server test Nope')).toContain('No such server: Nope');
    expect(await told('operation show 999')).toContain('No such operation: #999');
    expect(await told('token revoke 999')).toContain('No such API token: #999');
    expect(await told('notice ack 999')).toContain('No such notice: #999');
    const both = await told('domain remove one.ru two.ru');
    for (const name of ['one.ru', 'two.ru']) expect(both).toContain(`No such domain: ${name}`);
  });

  test.each([
    ['domain renew one.ru two.ru 901 902', 'No such domain: 901, 902'],
    ['domain renew one.ru two.ru one.ru', 'No such domain: one.ru, two.ru'],
    ['domain renew %%% a.ru &&&', 'This is no name of a domain: %%%, &&&'],
    ['transfer plan one.ru two.ru', 'No such domain: one.ru, two.ru'],
    ['server test One Two 903', 'No such server: One, Two, 903'],
    ['registrar test One Two', 'No such registrar: One, Two'],
    ['cloudflare test One Two', 'No such CDN account: One, Two'],
    ['xmlriver test One Two', 'No such XMLRiver account: One, Two'],
    ['group add G --account One Two', 'No such CDN account: One, Two'],
    ['group add G --account One --account Two', 'No such CDN account: One, Two'],
  ])('`%s` names everything that is missing', async (line, told) => {
    expect((await home.run(`${line} --lang en`.split(' '))).stderr).toBe(`seo-admin: ${told}\n`);
  });

  test('to find names offer --all only where it is a flag', async () => {
    const offers = (run: Run): boolean => run.stderr.includes('--all');
    for (const words of ['domain add', 'domain remove', 'domain renew', 'rules attach a.ru --account 1 --server 1']) {
      expect({ words, offers: offers(await home.run(words.split(' '))) }).toEqual({ words, offers: false });
    }
    for (const words of ['check http', 'protect tls on']) {
      expect({ words, offers: offers(await home.run(words.split(' '))) }).toEqual({ words, offers: true });
    }
  });

  test('to read a file name it and its flag', async () => {
    const lines = [
      'blocklist update --file',
      'check blocked -f',
      'check http --file',
      'domain add --file',
      'user passwd admin --password-file',
      'site deploy a.ru --html',
    ];
    const path = `${home.dir}/nowhere`;
    for (const line of lines) {
      const { exit, stderr } = await home.run([...line.split(' '), path, '--lang', 'en']);
      const flag = line.split(' ').at(-1)?.replace(/^-f$/, '--file');
      expect({ line, exit, stderr }).toEqual({ line, exit: 1, stderr: `seo-admin: no such file: ${flag} ${path}\n` });
    }
  });

  test('to read a folder in the place of a file name it', async () => {
    for (const line of [
      'blocklist update --file',
      'check blocked --file',
      'domain import',
      'keyword add --project 1 --file',
      'user passwd admin --password-file',
      'db backup new.sqlite --passphrase-file',
      'db restore --yes',
      'dns apply a.ru --file',
      'template add',
      'schedule set heartbeat --heartbeat-file',
    ]) {
      const { exit, stderr } = await home.run([...line.split(' '), home.dir, '--lang', 'en']);
      const flag = /--\S*file$/.exec(line);
      const given = `${flag === null ? '' : `${flag[0]} `}${home.dir}`;
      expect({ line, exit, stderr }).toEqual({ line, exit: 1, stderr: `seo-admin: this is a folder: ${given}\n` });
    }
  });

  test('to write a backup name the folder that is missing', async () => {
    const { exit, stderr } = await home.run(['db', 'backup', '/nowhere/at/all', '--lang', 'en']);
    expect([exit, stderr]).toEqual([1, 'seo-admin: no such file: /nowhere/at\n']);
  });

  test('are reported by their exit code and document where nobody reads stderr any more', async () => {
    const run = home.start(['check', 'blocked', 'a.ru', '%', '--json']);
    run.process.stderr.destroy();
    const { exit, json } = await run.ended;
    expect([exit, json.exit, json.summary.total]).toEqual([4, 4, 2]);
  });

  test('for a misspelt variable name the nearest known one', async () => {
    const run = await home.run(['domain', 'list', '--lang', 'en'], { env: { SEO_ADMIN_DNSS: '127.0.0.1:53' } });
    expect(run.exit).toBe(4);
    expect(run.stderr).toContain('SEO_ADMIN_DNSS (env). Did you mean SEO_ADMIN_DNS?');
  });

  test('for a passphrase of backups that is too short name its variable or file before anything is done', async () => {
    const said = (where: string) =>
      `seo-admin: Bad value of SEO_ADMIN_BACKUP_PASSPHRASE (${where}): ********. The passphrase of a backup has at least 10 characters\n`;
    const refused = async (line: string, where: string, env: Record<string, string> = {}) => {
      const { exit, stderr } = await home.run([...line.split(' '), '--lang', 'en'], { env });
      expect({ line, exit, stderr }).toEqual({ line, exit: 4, stderr: said(where) });
    };
    const lines = [
      'doctor',
      'db status',
      'db migrate',
      'domain list',
      `db backup ${home.dir}/new.sqlite`,
      'serve --port 0',
    ];
    for (const line of lines) await refused(line, 'env', { SEO_ADMIN_BACKUP_PASSPHRASE: 'nine char' });
    const config = join(home.dir, 'seo-admin.config.json');
    writeFileSync(config, JSON.stringify({ SEO_ADMIN_BACKUP_PASSPHRASE: 'nine char' }));
    try {
      for (const line of ['doctor', 'serve --port 0', 'worker']) await refused(line, config);
      expect((await home.run(['help'])).exit).toBe(0);
    } finally {
      rmSync(config);
    }
    expect((await home.run(['db', 'status'], { env: { SEO_ADMIN_BACKUP_PASSPHRASE: 'ten chars!' } })).exit).toBe(0);
  });
});
