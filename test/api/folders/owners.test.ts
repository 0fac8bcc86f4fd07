// A folder on a server has one owner; tested with a real OpenSSH.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { WEB_ROOT, type Sshd } from '../../support/sshd.ts';
import { newName, settled } from '../calls.ts';
import { add, addServer, ask, attacker, deploy, found, startHost, template, useFolders, victim } from './world.ts';

useFolders();

describe('when a domain is saved', () => {
  test('the folder of a domain of another user, or one below it, is refused on every server row of the same host', async () => {
    const [one, two] = [await addServer(victim, {}), await addServer(attacker, { ssh_user: 'other' })];
    const [far, named] = [
      await addServer(victim, { ssh_host: '203.0.113.78' }),
      await addServer(attacker, { ssh_host: 'host.example.com' }),
    ];
    // Both rows have shown the same host key.
    await transaction(() =>
      execute(`UPDATE servers SET host_key = 'ssh-ed25519 SHA256:same' WHERE id IN ($one, $named)`, { one, named }),
    );
    const taken = `/srv/${newName()}`;
    const holder = newName();
    expect((await add(victim, one, taken, holder)).status).toBe(200);
    for (const server_id of [one, two, named]) {
      for (const path of [taken, `${taken}/`, `${taken}/blog`]) {
        const answer = await add(attacker, server_id, path);
        expect([path, answer.status, answer.body.code]).toEqual([path, 422, 'path_shared']);
        expect(answer.body.fields).toHaveProperty('file_path');
        expect(answer.text).not.toContain(holder);
      }
      const free = await add(attacker, server_id, `${taken}x`);
      expect(free.status).toBe(200);
      const edit = { server_id, file_path: taken };
      expect((await ask(attacker, `POST /api/domains/${free.body.data.id}`, edit)).status).toBe(422);
      await ask(attacker, `DELETE /api/domains/${free.body.data.id}`);
    }
    expect((await add(attacker, far, taken)).status).toBe(200);
    // Domains of the holder may share a folder, but none may lie above another.
    expect((await add(victim, two, taken)).status).toBe(200);
    const parent = `/srv/${newName()}`;
    expect((await add(victim, one, `${parent}/a/b`)).status).toBe(200);
    expect((await add(victim, one, `${parent}/a`)).body).toMatchObject({ code: 'path_shared' });
    // A deleted domain holds no folder.
    const again = (await add(victim, one, `${parent}/c`)).body.data.id;
    await ask(victim, `DELETE /api/domains/${again}`);
    expect((await add(attacker, one, `${parent}/c`)).status).toBe(200);
  });

  test.each([
    '/var/www',
    '/var/www/',
    '/',
    '/home',
    '/home/user',
    '/etc/nginx',
    '/var/lib/x',
    '/srv',
    WEB_ROOT,
    '/srv/.releases',
    '/srv/.releases/x',
    '/srv/sites/-x',
    '/srv/sites/v.com\u200B',
    '/srv/a\u00A0/b',
    '/srv/a/\u3164',
    '/srv/a\u2800/b',
    '/srv/cafe\u0301',
    '/srv/shop /x',
    '/srv/ shop',
    '/srv/my  shop',
  ])('the folder %j is refused for a site', async (path) => {
    for (const server_id of [null, await addServer(victim, {})]) {
      const answer = await add(victim, server_id, path);
      expect([answer.status, answer.body.code]).toEqual([422, 'unsafe_path']);
      expect(answer.body.fields).toHaveProperty('file_path');
    }
    const imported = await ask(victim, 'POST /api/imports', { text: `domain;path\n${newName()};${path}\n` });
    expect(imported.body.counts).toMatchObject({ create: 0, error: 1 });
  });

  test('a folder directly below the root is saved, and nothing is deployed to it', async () => {
    const saved = await add(victim, await addServer(victim, {}), `/${newName()}`);
    expect(saved.status).toBe(200);
    expect(await deploy(victim, saved.body.data.id)).toMatchObject({ state: 'refused' });
  });
});

describe.skipIf('missing' in found)('when a site is deployed', () => {
  let sshd: Sshd;
  let mine: number;
  let theirs: number;

  beforeAll(async () => {
    ({ sshd, mine, theirs } = await startHost());
  });
  afterAll(() => sshd.close());

  const page = (path: string) => readFileSync(sshd.local(`${sshd.remote(path)}/index.html`), 'utf8');

  /** Makes a site by hand and a domain of the victim with its folder; returns the folder. */
  async function handMade(): Promise<string> {
    const path = `/srv/${newName()}`;
    mkdirSync(sshd.local(path));
    writeFileSync(sshd.local(`${path}/index.html`), 'by hand');
    expect((await add(victim, mine, sshd.remote(path))).status).toBe(200);
    return path;
  }

  test('a host under another name is recognized by its key before anything is written', async () => {
    const path = await handMade();
    // Neither row has a stored key, and their names differ.
    await transaction(() => execute('UPDATE servers SET host_key = NULL'));
    const saved = await add(attacker, theirs, sshd.remote(path));
    expect(saved.status).toBe(200);
    expect(await deploy(attacker, saved.body.data.id)).toMatchObject({
      state: 'failed',
      said: expect.not.stringContaining('name-0'),
    });
    expect(page(path)).toBe('by hand');
    expect(existsSync(sshd.local('/srv/.releases'))).toBe(false);
    // The deployment has stored the key, so that saving is refused from now on.
    expect((await add(attacker, theirs, sshd.remote(path))).status).toBe(422);
  });

  test('two domains below the folder of another user do not take it over', async () => {
    const path = await handMade();
    // The other server row has no stored key, so saving is not refused.
    await transaction(() => execute('UPDATE servers SET host_key = NULL'));
    const below = [];
    for (const name of ['one', 'two']) {
      const saved = await add(attacker, theirs, sshd.remote(`${path}/${name}`));
      expect(saved.status).toBe(200);
      below.push(saved.body.data.id as number);
    }
    for (const id of below) expect(await deploy(attacker, id)).toMatchObject({ state: 'failed' });
    expect([existsSync(sshd.local(`${path}/one`)), existsSync(sshd.local(`${path}/.releases`))]).toEqual([
      false,
      false,
    ]);
    expect(page(path)).toBe('by hand');
    for (const id of below) await ask(attacker, `DELETE /api/domains/${id}`);
  });

  test('a symbolic link to the folder of another user is resolved and refused', async () => {
    const path = await handMade();
    symlinkSync('.', sshd.local('/srv/link'));
    const saved = await add(attacker, theirs, sshd.remote(path.replace('/srv/', '/srv/link/')));
    expect(saved.status).toBe(200);
    expect(await deploy(attacker, saved.body.data.id)).toMatchObject({ state: 'failed' });
    expect(page(path)).toBe('by hand');
  });

  test('an older row with the folder of all sites is refused itself, and blocks no other', async () => {
    const root = `/srv/${newName()}`;
    mkdirSync(sshd.local(root));
    const bad = (await add(attacker, null, `/srv/${newName()}`)).body.data.id;
    const [one, two] = [
      await add(victim, mine, sshd.remote(`${root}/one`)),
      await add(victim, mine, sshd.remote(`${root}/two`)),
    ];
    for (const file_path of [sshd.remote(root), '/var/www']) {
      // The row of an older version, which accepted such folders.
      await transaction(() =>
        execute('UPDATE domains SET server_id = $theirs, file_path = $file_path, folder_claim = 1 WHERE id = $bad', {
          theirs,
          file_path,
          bad,
        }),
      );
      await transaction(() => execute('UPDATE domains SET folder_claim = 1 WHERE id = $bad', { bad }));
      for (const site of [one, two]) {
        expect(await deploy(victim, site.body.data.id)).toMatchObject({ state: 'succeeded' });
      }
      const [row] = await select<{ domain_name: string }>('SELECT domain_name FROM domains WHERE id = $bad', { bad });
      const { state, said } = await deploy(attacker, bad);
      expect(state).toBe('refused');
      expect(said).toMatch(file_path === '/var/www' ? '/var/www' : (row?.domain_name ?? '?'));
      expect(said).not.toContain(`${root}/one`);
    }
  });

  test('a restore does not write into a folder that belongs to another domain by now', async () => {
    const path = `/srv/${newName()}`;
    const { body } = await add(attacker, mine, sshd.remote(path));
    expect(await deploy(attacker, body.data.id)).toMatchObject({ state: 'succeeded' });
    const [deployed] = await select<{ id: number }>(`SELECT max(id) AS id FROM operations WHERE kind = 'deploy'`);
    await ask(attacker, `POST /api/domains/${body.data.id}`, { file_path: sshd.remote(`${path}-elsewhere`) });
    expect((await add(victim, mine, sshd.remote(path))).status).toBe(200);
    const before = page(path);
    const back = await ask(attacker, `POST /api/operations/${deployed?.id}/restore`, {});
    await settled();
    expect((await ask(attacker, `GET /api/operations/${back.body.operation.id}`)).body.state).toBe('failed');
    expect(page(path)).toBe(before);
  });

  test('a restore does not write into the folder that its domain has left, and the live release stays noted', async () => {
    const path = `/srv/${newName()}`;
    const { id } = (await add(victim, mine, sshd.remote(path))).body.data;
    expect(await deploy(victim, id)).toMatchObject({ state: 'succeeded' });
    const [deployed] = await select<{ id: number }>(`SELECT max(id) AS id FROM operations WHERE kind = 'deploy'`);
    await ask(victim, `POST /api/domains/${id}`, { file_path: sshd.remote(`${path}-elsewhere`) });
    expect(await deploy(victim, id)).toMatchObject({ state: 'succeeded' });
    const noted = async () => (await ask(victim, `GET /api/domains/${id}`)).body.data.release;
    const [live, before] = [await noted(), page(path)];
    expect(live).toMatch(/^[0-9a-f]{64}$/);
    const back = await ask(victim, `POST /api/operations/${deployed?.id}/restore`, {});
    await settled();
    expect((await ask(victim, `GET /api/operations/${back.body.operation.id}`)).body.state).toBe('failed');
    expect([await noted(), page(path)]).toEqual([live, before]);
  });

  test('a deployment that is tried again after its domain has got another folder or name writes nothing', async () => {
    for (const change of [{ file_path: sshd.remote(`/srv/${newName()}`) }, { domain_name: newName() }]) {
      const path = `/srv/${newName()}`;
      writeFileSync(sshd.local(path), 'in the way');
      const { id } = (await add(victim, mine, sshd.remote(path))).body.data;
      expect(await deploy(victim, id)).toMatchObject({ state: 'failed' });
      const [failed] = await select<{ id: number }>(`SELECT max(id) AS id FROM operations WHERE kind = 'deploy'`);
      rmSync(sshd.local(path));
      expect((await ask(victim, `POST /api/domains/${id}`, change)).status).toBe(200);
      expect((await ask(victim, `POST /api/operations/${failed?.id}/retry`, {})).status).toBe(200);
      await settled();
      expect((await ask(victim, `GET /api/operations/${failed?.id}`)).body.state).toBe('failed');
      expect(existsSync(sshd.local(path))).toBe(false);
      expect((await ask(victim, `GET /api/domains/${id}`)).body.data.release).toBe(null);
    }
  });
});

test('a preview with a domain of another user is refused like one with an unknown domain', async () => {
  const { body } = await add(victim, null, `/srv/${newName()}`);
  for (const domain_id of [body.data.id, 999_999]) {
    const answer = await ask(attacker, 'POST /api/site_previews', {
      template_id: template,
      domain_name: newName(),
      domain_id,
    });
    expect([answer.status, answer.body.error]).toEqual([422, 'Unknown domain_id']);
  }
});
