// Rows of a stranger in a folder that another domain holds; tested with a real OpenSSH.
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import type { Sshd } from '../../support/sshd.ts';
import { newName } from '../calls.ts';
import { add, ask, attacker, deploy, found, startHost, useFolders, victim } from './world.ts';

useFolders();

describe.skipIf('missing' in found)('rows below the folder of another user', () => {
  let sshd: Sshd;
  let mine: number;
  let theirs: number;

  beforeAll(async () => {
    ({ sshd, mine, theirs } = await startHost());
  });
  afterAll(() => sshd.close());

  /** Writes files by hand, by their paths in a folder. */
  function put(folder: string, ...files: string[]): void {
    for (const file of files) {
      const path = sshd.local(`${folder}/${file}`);
      mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true });
      writeFileSync(path, 'by hand');
    }
  }

  /** Saves a domain through the row of the host that has shown no key yet, so that it is not refused. */
  async function saveUnseen(path: string): Promise<number> {
    await transaction(() => execute('UPDATE servers SET host_key = NULL'));
    const saved = await add(attacker, theirs, sshd.remote(path));
    expect(saved.status).toBe(200);
    return saved.body.data.id;
  }

  const handMade = (path: string): boolean =>
    !lstatSync(sshd.local(path)).isSymbolicLink() &&
    readFileSync(sshd.local(`${path}/index.php`), 'utf8') === 'by hand';

  test.each([
    ['files beside them', ['artisan', 'composer.json', 'public/index.php'], ['one', 'two', 'public']],
    ['nothing but one folder', ['public/index.php', 'public/css/x.css'], ['public', 'public/css', 'public/js']],
    ['nothing but their folders', ['public/index.php', 'logs/x.log'], ['logs', 'public']],
  ])('do not give a part of it to a stranger, and do not block its owner: %s', async (_what, files, below) => {
    const folder = `/srv/${newName()}`;
    put(folder, ...files);
    const site = await add(victim, mine, sshd.remote(folder));
    const wrong: number[] = [];
    for (const name of below) wrong.push(await saveUnseen(`${folder}/${name}`));
    for (const id of wrong.toReversed()) {
      expect((await deploy(attacker, id)).state).not.toBe('succeeded');
    }
    expect(handMade(`${folder}/public`)).toBe(true);
    expect(existsSync(sshd.local(`${folder}/.releases`))).toBe(false);
    // Where each folder in it is claimed, nothing is written until a person decides.
    const state = below.length === 2 ? 'failed' : 'succeeded';
    expect(await deploy(victim, site.body.data.id)).toMatchObject({ state });
    for (const id of wrong) await ask(attacker, `DELETE /api/domains/${id}`);
  });

  test('do not give away a folder that is not there yet', async () => {
    const folder = `/srv/${newName()}`;
    const site = await add(victim, mine, sshd.remote(folder));
    const wrong = [await saveUnseen(`${folder}/one`), await saveUnseen(`${folder}/two`)];
    for (const id of wrong) expect((await deploy(attacker, id)).state).not.toBe('succeeded');
    expect(await deploy(victim, site.body.data.id)).toMatchObject({ state: 'succeeded' });
    for (const id of wrong) await ask(attacker, `DELETE /api/domains/${id}`);
  });

  test('do not block a site that was deployed, nor its next page', async () => {
    const folder = `/srv/${newName()}`;
    const { id } = (await add(victim, mine, sshd.remote(folder))).body.data;
    expect(await deploy(victim, id)).toMatchObject({ state: 'succeeded' });
    const wrong = [await saveUnseen(`${folder}/one`), await saveUnseen(`${folder}/two`)];
    for (const one of wrong) expect((await deploy(attacker, one)).state).not.toBe('succeeded');
    expect(await deploy(victim, id)).toMatchObject({ state: 'succeeded' });
    expect((await ask(victim, `POST /api/domains/${id}/deploy/plan`, {})).status).toBe(200);
    for (const one of wrong) await ask(attacker, `DELETE /api/domains/${one}`);
  });

  test('nor do rows whose sites were deployed elsewhere', async () => {
    const wrong: number[] = [];
    for (const _ of [1, 2]) {
      const { id } = (await add(attacker, theirs, sshd.remote(`/srv/${newName()}`))).body.data;
      expect(await deploy(attacker, id)).toMatchObject({ state: 'succeeded' });
      wrong.push(id);
    }
    const folder = `/srv/${newName()}`;
    put(folder, 'public/index.php');
    const site = await add(victim, mine, sshd.remote(folder));
    for (const [index, name] of ['public', 'two'].entries()) {
      await transaction(() => execute('UPDATE servers SET host_key = NULL'));
      const file_path = sshd.remote(`${folder}/${name}`);
      expect((await ask(attacker, `POST /api/domains/${wrong[index]}`, { file_path })).status).toBe(200);
    }
    for (const id of wrong) expect((await deploy(attacker, id)).state).not.toBe('succeeded');
    expect(handMade(`${folder}/public`)).toBe(true);
    expect(await deploy(victim, site.body.data.id)).toMatchObject({ state: 'succeeded' });
    for (const id of wrong) await ask(attacker, `DELETE /api/domains/${id}`);
  });

  test('folders that bear the names of their domains stay out of the reach of an older row above them', async () => {
    const root = `/srv/${newName()}`;
    const names = [newName(), newName()];
    for (const name of names) put(root, `${name}/index.php`);
    const bad = await saveUnseen(root);
    const sites = [];
    for (const name of names) {
      await transaction(() => execute('UPDATE servers SET host_key = NULL'));
      sites.push((await add(victim, mine, sshd.remote(`${root}/${name}`), name)).body.data.id as number);
    }
    expect(await deploy(attacker, bad)).toMatchObject({ state: 'failed', said: expect.stringContaining(root) });
    for (const name of names) expect(handMade(`${root}/${name}`)).toBe(true);
    for (const id of sites) expect(await deploy(victim, id)).toMatchObject({ state: 'succeeded' });
    await ask(attacker, `DELETE /api/domains/${bad}`);
  });
});
