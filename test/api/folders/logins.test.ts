// A folder has one owner also where two logins of one host see it by different paths; tested with a real OpenSSH.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRoot, startSshd, type Sshd } from '../../support/sshd.ts';
import { newName } from '../calls.ts';
import { add, addServer, ask, attacker, deploy, found, useFolders, victim } from './world.ts';

useFolders();

describe.skipIf('missing' in found || !isRoot)('with two logins on one host', () => {
  let sshd: Sshd;
  let home: string;
  /** Server rows of one host: the login of the victim sees only `home`, that of the attacker sees everything. */
  let [mine, theirs] = [0, 0];

  beforeAll(async () => {
    home = mkdtempSync('/srv/seo-admin-home-');
    chmodSync(home, 0o755);
    mkdirSync(join(home, 'sites'));
    sshd = await startSshd({
      chroot: false,
      quiet: true,
      config: ['Match User seo-test-*', `ChrootDirectory ${home}`],
    });
    const { user: ssh_user, secret: ssh_password } = sshd.passwordLogin();
    mine = await addServer(victim, { ssh_host: `127.0.0.1:${sshd.port}`, ssh_user, ssh_password });
    theirs = await addServer(attacker, {
      ssh_host: `host.example.com:${sshd.port}`,
      ssh_user: sshd.login.user,
      ssh_password: sshd.login.secret,
    });
  });
  afterAll(async () => {
    await sshd.close();
    rmSync(home, { recursive: true, force: true });
  });

  /** Makes a site by hand in the home of the victim, with its domain; returns its name. */
  async function handMade(place = 'sites'): Promise<string> {
    const name = newName();
    mkdirSync(join(home, 'sites', name));
    writeFileSync(join(home, 'sites', name, 'index.html'), 'by hand');
    expect((await add(victim, mine, `/${place}/${name}`)).status).toBe(200);
    return name;
  }

  async function takeOver(path: string): Promise<string> {
    const { status, body } = await add(attacker, theirs, path);
    expect(status).toBe(200);
    const { state } = await deploy(attacker, body.data.id);
    await ask(attacker, `DELETE /api/domains/${body.data.id}`);
    return state;
  }

  test('a site folder below the root folder of another login is refused', async () => {
    const name = await handMade();
    for (const path of [`${home}/sites/${name}`, `${home}/sites/${name}/blog`]) {
      expect(await takeOver(path)).toBe('failed');
    }
    symlinkSync(home, `${home}-link`);
    expect(await takeOver(`${home}-link/sites/${name}`)).toBe('failed');
    rmSync(`${home}-link`);
    expect(readFileSync(join(home, 'sites', name, 'index.html'), 'utf8')).toBe('by hand');
  });

  test('a folder that the other login reaches by a symbolic link is refused', async () => {
    symlinkSync('sites', join(home, 'way'));
    expect(await takeOver(`${home}/sites/${await handMade('way')}`)).toBe('failed');
  });

  test('the root folder of another login is refused', async () => {
    const name = await handMade();
    expect(await takeOver(home)).toBe('failed');
    expect(readFileSync(join(home, 'sites', name, 'index.html'), 'utf8')).toBe('by hand');
  });

  test('a folder with too many files to compare does not block another login and is not named', async () => {
    const path = `/srv/${newName()}`;
    mkdirSync(join(home, path.slice(1)), { recursive: true });
    for (let file = 0; file <= 20_000; file += 1) writeFileSync(join(home, path.slice(1), String(file)), '');
    expect((await add(victim, mine, path)).status).toBe(200);
    const elsewhere = mkdtempSync('/srv/seo-admin-home-');
    const folder = `${elsewhere}${path}`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'index.html'), 'another');
    const { body } = await add(attacker, theirs, folder);
    expect(await deploy(attacker, body.data.id)).toMatchObject({ state: 'succeeded', said: null });
    rmSync(elsewhere, { recursive: true });
  });

  test('a different folder of the host is accepted, also if it looks alike or if the other login fails', async () => {
    const name = await handMade();
    const elsewhere = mkdtempSync('/srv/seo-admin-home-');
    mkdirSync(join(elsewhere, 'sites'));
    const saved = await add(attacker, theirs, `${elsewhere}/sites/${name}`);
    expect(await deploy(attacker, saved.body.data.id)).toMatchObject({ state: 'succeeded' });
    await ask(victim, `PUT /api/servers/${mine}`, { ssh_password: 'a wrong one' });
    const again = await add(attacker, theirs, `${elsewhere}/sites/${newName()}`);
    expect(await deploy(attacker, again.body.data.id)).toMatchObject({ state: 'succeeded' });
    rmSync(elsewhere, { recursive: true, force: true });
  });
});
