// Sites that are deployed through the API to a real OpenSSH, served by a real nginx, rolled back.
import { mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { itemOn } from '../../../src/operations/locks.ts';
import { enqueue } from '../../../src/operations/queue.ts';
import { siteLock } from '../../../src/services/sites/deploys.ts';
import { findNginx, startNginx, type Nginx } from '../../support/nginx.ts';
import { form } from '../../support/server.ts';
import { findSshd, startSshd, WEB_ROOT, type Sshd } from '../../support/sshd.ts';
import { newName, settled } from '../calls.ts';
import { ask, html, makeTemplate, template, useSites } from './world.ts';

useSites();

const missing = [findSshd(), findNginx()].flatMap((found) => ('missing' in found ? [found.missing] : []));
if (missing.length > 0) console.log(`Skipped: deploying to a real server: ${missing.join('; ')}`);

const operation = async (id: number) => {
  await settled();
  return (await ask(`GET /api/operations/${id}`)).body;
};

describe.skipIf(missing.length > 0)('a deployed site', () => {
  let sshd: Sshd;
  let nginx: Nginx;
  let serverId: number;
  beforeAll(async () => {
    sshd = await startSshd();
    nginx = await startNginx(sshd.local(WEB_ROOT));
    const { user: ssh_user, secret: ssh_password } = sshd.login;
    const { body } = await ask('POST /api/servers', {
      name: 'real',
      ssh_host: `127.0.0.1:${sshd.port}`,
      ssh_user,
      ssh_password,
    });
    serverId = body.data.id;
  });
  afterAll(async () => {
    await nginx.close();
    await sshd.close();
  });
  afterEach(settled);

  const fields = (domain_name: string) => ({
    domain_name,
    file_path: sshd.remote(`${WEB_ROOT}/${domain_name}`),
    server_id: String(serverId),
    template_id: String(template),
  });

  async function deployed(domain_name = newName()): Promise<{ id: number; host: string; operation: number }> {
    const { body, text } = await ask('POST /api/domains', form({ ...fields(domain_name), html_file: html() }));
    if (!body.operation) throw new Error(text);
    await settled();
    return { id: body.data.id, host: domain_name, operation: body.operation.id };
  }

  test('of a new domain is served with its text, and its release is stored', async () => {
    const { id, host, operation: op } = await deployed();
    expect(await operation(op)).toMatchObject({
      kind: 'deploy',
      state: 'succeeded',
      restorable: true,
      message: 'Сайт развёрнут',
    });
    expect((await nginx.get(host)).text).toBe(
      `<title>Казино</title><meta name="description" content="Лучшее"><h1>${host} one</h1><p>Привет</p>`,
    );
    const { data } = (await ask(`GET /api/domains/${id}`)).body;
    expect(data.release).toMatch(/^[0-9a-f]{64}$/);
    expect(readlinkSync(sshd.local(`${WEB_ROOT}/${host}`))).toBe(`.releases/${host}/${data.release}`);
    expect((await nginx.get(host, `/${data.release.slice(0, 32)}.txt`)).text.trim()).toBe(data.release);
    expect(data.deployed_at).toMatch(/^\d{4}-/);
  });

  test('goes live with an edited page, and a restore brings the former page back', async () => {
    const { id, host } = await deployed();
    const first = (await ask(`GET /api/domains/${id}`)).body.data.release;
    const { body } = await ask(`POST /api/domains/${id}`, form({ html_file: html('<p>Вторая</p>', 'second.HTM') }));
    expect(await operation(body.operation.id)).toMatchObject({ state: 'succeeded' });
    expect((await nginx.get(host)).text).toContain('<p>Вторая</p>');
    const second = (await ask(`GET /api/domains/${id}`)).body.data;
    expect(second).toMatchObject({ html_file: 'second.HTM' });
    expect(second.release).not.toBe(first);
    const back = await ask(`POST /api/operations/${body.operation.id}/restore`, {});
    expect(await operation(back.body.operation.id)).toMatchObject({ state: 'succeeded' });
    expect((await nginx.get(host)).text).toContain('<p>Привет</p>');
    expect((await ask(`GET /api/domains/${id}`)).body.data.release).toBe(first);
    // Another try goes live anew.
    expect(await operation(body.operation.id)).toMatchObject({ restorable: false, retryable: true });
    await ask(`POST /api/operations/${body.operation.id}/retry`, {});
    expect(await operation(body.operation.id)).toMatchObject({ state: 'succeeded', counts: { done: 1 } });
    expect((await nginx.get(host)).text).toContain('<p>Вторая</p>');
    expect((await ask(`GET /api/domains/${id}`)).body.data.release).toBe(second.release);
  });

  test('saved twice at once takes one save completely and refuses the other', async () => {
    const { id, host } = await deployed();
    for (let round = 0; round < 3; round += 1) {
      const pages = ['a', 'b'].map((letter) => `<p>${letter} ${round}</p>`);
      const answers = await Promise.all(
        pages.map((page, at) =>
          ask(`POST /api/domains/${id}`, form({ html_file: html(page, `${at}.html`), note: page })),
        ),
      );
      const won = answers.findIndex(({ status }) => status === 200);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      expect(answers[1 - won]!.body).toMatchObject({ error: expect.any(String), code: expect.any(String) });
      expect(await operation(answers[won]!.body.operation.id)).toMatchObject({ state: 'succeeded' });
      expect((await ask(`GET /api/domains/${id}`)).body.data.html_file).toBe(`${won}.html`);
      expect((await nginx.get(host)).text).toContain(pages[won]);
    }
  });

  test('has nothing to do when planned or deployed again, except with another template', async () => {
    const { id, host } = await deployed();
    expect((await ask(`POST /api/domains/${id}/deploy/plan`, {})).body.data).toMatchObject({ acts: [], unchanged: 1 });
    const again = await ask(`POST /api/domains/${id}/deploy`, {});
    expect(await operation(again.body.operation.id)).toMatchObject({ state: 'succeeded', counts: { noop: 1 } });
    await ask(`POST /api/domains/${id}`, { template_id: await makeTemplate('two') });
    const { data: plan } = (await ask(`POST /api/domains/${id}/deploy/plan`, {})).body;
    expect(plan.acts).toMatchObject([
      { act: 'upload', after: { files: 2, new_files: 2 } },
      { act: 'activate', before: expect.stringContaining('.releases/'), after: expect.stringContaining('.releases/') },
    ]);
    expect((await nginx.get(host)).text).toContain(' one</h1>');
    await ask(`POST /api/domains/${id}/deploy`, {});
    await settled();
    expect((await nginx.get(host)).text).toContain(' two</h1>');
  });

  test('is only stored with deploy=off; deploy=on without a new page deploys the stored one', async () => {
    const name = newName();
    const kept = await ask('POST /api/domains', form({ ...fields(name), deploy: 'off', html_file: html() }));
    expect(kept.body.operation).toBeUndefined();
    expect((await nginx.get(name)).status).toBe(404);
    const { body } = await ask(`POST /api/domains/${kept.body.data.id}`, { deploy: 'on' });
    expect(await operation(body.operation.id)).toMatchObject({ state: 'succeeded' });
    expect((await nginx.get(name)).status).toBe(200);
  });

  test('keeps its stored page and live release when a deployment fails, which can be retried', async () => {
    const { id, host } = await deployed();
    const place = sshd.local(`${WEB_ROOT}/.releases/${host}`);
    const release = readdirSync(place)[0] ?? '';
    // A file in place of the folder makes the deployment fail.
    rmSync(sshd.local(`${WEB_ROOT}/${host}`));
    writeFileSync(sshd.local(`${WEB_ROOT}/${host}`), 'in the way');
    const { body } = await ask(`POST /api/domains/${id}`, form({ html_file: html('<p>Новая</p>', 'new.html') }));
    expect(await operation(body.operation.id)).toMatchObject({ state: 'failed', retryable: true });
    expect((await ask(`GET /api/domains/${id}`)).body.data).toMatchObject({ html_file: 'new.html', release });
    rmSync(sshd.local(`${WEB_ROOT}/${host}`));
    await ask(`POST /api/operations/${body.operation.id}/retry`, {});
    expect(await operation(body.operation.id)).toMatchObject({ state: 'succeeded' });
    expect((await nginx.get(host)).text).toContain('<p>Новая</p>');
  });

  test('is refused in a folder of another site, above or below one, and nothing is written', async () => {
    const { host } = await deployed();
    const root = sshd.remote(WEB_ROOT);
    mkdirSync(sshd.local(`${WEB_ROOT}/${host}-two/deep`), { recursive: true });
    for (const file_path of [root, `${root}/${host}`, `${root}/${host}/blog`, '/etc/nginx', '/var/www/x/.ssh']) {
      const domain_name = newName();
      const answer = await ask('POST /api/domains', form({ ...fields(domain_name), file_path, html_file: html() }));
      expect([file_path, answer.status, answer.body.code]).toEqual([
        file_path,
        422,
        expect.stringMatching(/^(path_shared|unsafe_path)$/),
      ]);
      expect(await select('SELECT 1 FROM domains WHERE domain_name = $domain_name', { domain_name })).toEqual([]);
    }
  });

  test('is not sent to a server with a changed host key', async () => {
    const { id } = await deployed();
    await sshd.changeHostKey();
    const held = await ask(`POST /api/domains/${id}`, form({ html_file: html('<p>x</p>') }));
    expect(await operation(held.body.operation.id)).toMatchObject({ state: 'failed' });
    const { body } = await ask(`GET /api/operations/${held.body.operation.id}/items`);
    expect(body.data[0].error).toMatch(/ключ/i);
  });

  test('cannot be changed while another operation works on it', async () => {
    const { id, host } = await deployed();
    const work = { kind: 'restore', subject: 'x', user_id: null, input: { kind: 'deploy', id: 0 } };
    const message = { key: 'operation.restoring' } as const;
    const { id: running } = await enqueue(
      { ...work, message, items: [{ ...itemOn(siteLock(host)), lane: 'x', data: {} }] },
      true,
    );
    const answer = await ask(
      `POST /api/domains/${id}`,
      form({ type: 'transfer', html_file: html('<p>x</p>', 'x.html') }),
    );
    expect([answer.status, answer.body.code]).toEqual([409, 'busy']);
    expect((await ask(`POST /api/domains/${id}/deploy`, {})).status).toBe(409);
    expect((await ask(`GET /api/domains/${id}`)).body.data).toMatchObject({ type: 'main', html_file: 'page.html' });
    await transaction(() => execute(`UPDATE operations SET state = 'cancelled' WHERE id = $running`, { running }));
  });
});
