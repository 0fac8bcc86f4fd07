// Sites through the API: stored, deployed to a real OpenSSH, served by a real nginx, rolled back.
import { mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { zipSync, strToU8 } from 'fflate';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { itemOn } from '../../src/operations/locks.ts';
import { enqueue } from '../../src/operations/queue.ts';
import { siteLock } from '../../src/services/sites/deploys.ts';
import { findNginx, startNginx, type Nginx } from '../support/nginx.ts';
import {
  createPerson,
  form,
  request,
  startServer,
  type Answer,
  type Person,
  type TestServer,
} from '../support/server.ts';
import { findSshd, startSshd, WEB_ROOT, type Sshd } from '../support/sshd.ts';
import { newName, settled } from './calls.ts';

const missing = [findSshd(), findNginx()].flatMap((found) => ('missing' in found ? [found.missing] : []));
if (missing.length > 0) console.log(`Skipped: deploying to a real server: ${missing.join('; ')}`);

let server: TestServer;
let owner: Person;
let template: number;

const PAGE =
  '<html><head><title>Казино</title><meta name="description" content="Лучшее"></head><body><p>Привет</p></body></html>';
const html = (content: string | Uint8Array<ArrayBuffer> = PAGE, name = 'page.html') =>
  new File([content], name, { type: 'text/html' });

const ask = (call: string, body?: unknown, { token }: Person = owner): Promise<Answer> =>
  request(server, call, { token, ...(body === undefined ? {} : { body }) });

async function makeTemplate(version: string): Promise<number> {
  const zip = zipSync({
    'index.html': strToU8(
      `<title>TITLE</title><meta name="description" content="DESCRIPTION"><h1>SITE_URL ${version}</h1>BODY`,
    ),
    'css/main.css': strToU8(`/* ${version} */`),
  });
  const body = form({ name: newName(), template_file: new File([zip], 'site.zip') });
  const answer = await ask('POST /api/templates', body);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data.id;
}

beforeAll(async () => {
  server = await startServer();
  owner = await createPerson(server);
  template = await makeTemplate('one');
});
afterAll(() => server.close());

const operation = async (id: number) => {
  await settled();
  return (await ask(`GET /api/operations/${id}`)).body;
};

describe('a stored site', () => {
  test('without a server is saved with a message and shown', async () => {
    const domain_name = newName();
    const answer = await ask(
      'POST /api/domains',
      form({ domain_name, template_id: String(template), html_file: html() }),
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      data: { domain_name, template_id: template, html_file: 'page.html', release: null, deployed_at: null },
    });
    expect(answer.body.message).toMatch(/Сайт сохранён/);
    expect(answer.body.operation).toBeUndefined();
    const { body } = await ask(`GET /api/domains/${answer.body.data.id}/site`);
    expect(body.data).toMatchObject({
      template_id: template,
      html_name: 'page.html',
      html_bytes: Buffer.byteLength(PAGE),
      release: null,
      deploying: null,
    });
    expect(JSON.stringify(body)).not.toContain('Привет');
  });

  test('needs a template and a page: a page without a template is ignored, a template alone makes no site', async () => {
    const first = await ask('POST /api/domains', form({ domain_name: newName(), html_file: html() }));
    expect(first.body.data).toMatchObject({ template_id: null, html_file: null });
    const second = await ask('POST /api/domains', { domain_name: newName(), template_id: template });
    expect(second.body.data).toMatchObject({ template_id: template, html_file: null });
    expect((await ask(`GET /api/domains/${second.body.data.id}/site`)).body).toEqual({ data: null });
    const { body } = await ask(`POST /api/domains/${second.body.data.id}`, form({ html_file: html() }));
    expect(body.data).toMatchObject({ template_id: template, html_file: 'page.html' });
    const other = await makeTemplate('other');
    const third = await ask(`POST /api/domains/${second.body.data.id}`, { template_id: other });
    expect(third.body.data).toMatchObject({ template_id: other, html_file: 'page.html' });
    expect((await ask(`GET /api/domains/${second.body.data.id}/site`)).body.data).toMatchObject({ template_id: other });
  });

  const bad: [string, () => Record<string, string | File>, number, object][] = [
    ['another ending', () => ({ html_file: html(PAGE, 'page.php') }), 400, { html_file: expect.any(String) }],
    ['no text', () => ({ html_file: html(Uint8Array.of(1, 2, 0, 255)) }), 400, { html_file: expect.any(String) }],
    ['too large', () => ({ html_file: html('x'.repeat(2 * 1024 * 1024 + 1)) }), 413, { html_file: expect.any(String) }],
    [
      'an unknown template',
      () => ({ template_id: '999999', html_file: html() }),
      422,
      { template_id: expect.any(String) },
    ],
    ['deploying without a server', () => ({ deploy: 'on', html_file: html() }), 422, { server_id: expect.any(String) }],
    ['deploying without a page', () => ({ deploy: 'on' }), 422, { html_file: expect.any(String) }],
    [
      'deploying without a template',
      () => ({ deploy: 'on', template_id: '', html_file: html() }),
      422,
      { template_id: expect.any(String) },
    ],
    ['an unknown word', () => ({ deploy: 'maybe', html_file: html() }), 400, { deploy: expect.any(String) }],
  ];
  test.each(bad)('is refused before anything is written: %s', async (_, fields, status, told) => {
    const domain_name = newName();
    const body = { domain_name, template_id: String(template), ...fields() };
    const answer = await ask('POST /api/domains', form(body));
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
    expect(answer.body.fields).toEqual(told);
    expect(await select('SELECT 1 FROM domains WHERE domain_name = $domain_name', { domain_name })).toEqual([]);
    const made = await ask('POST /api/domains', { domain_name });
    const edited = await ask(`POST /api/domains/${made.body.data.id}`, form({ ...body, type: 'transfer' }));
    expect([edited.status, edited.body.fields]).toEqual([status, told]);
    expect((await ask(`GET /api/domains/${made.body.data.id}`)).body.data).toMatchObject({
      type: 'main',
      html_file: null,
    });
  });

  test("of another person's domain can't be read or deployed", async () => {
    const other = await createPerson(server);
    const { body } = await ask(
      'POST /api/domains',
      form({ domain_name: newName(), template_id: String(template), html_file: html() }),
    );
    for (const call of [
      `GET /api/domains/${body.data.id}/site`,
      `POST /api/domains/${body.data.id}/deploy`,
      `POST /api/domains/${body.data.id}/deploy/plan`,
    ]) {
      expect((await ask(call, call.startsWith('POST') ? {} : undefined, other)).status).toBe(404);
    }
  });
});

describe('a preview', () => {
  const POLICY =
    "sandbox; default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'self'";
  const preview = async (fields: Record<string, string | File> = {}): Promise<Answer> =>
    ask('POST /api/site_previews', form({ template_id: String(template), domain_name: 'shown.example', ...fields }));
  const get = (path: string): Promise<Answer> => request(server, `GET ${path}`);

  test('is shown without a token, in a sandbox without scripts', async () => {
    const { url } = (await preview({ html_file: html() })).body;
    expect(url).toMatch(/^\/api\/site_previews\/[\w-]{22}\/index\.html$/);
    const page = await get(url);
    expect(page.text).toContain('<h1>shown.example one</h1><p>Привет</p>');
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(page.headers['content-disposition']).toBeUndefined();
    const style = await get(url.replace('index.html', 'css/main.css'));
    expect([style.status, style.headers['content-type'], style.headers['content-security-policy']]).toEqual([
      200,
      'text/css; charset=utf-8',
      POLICY,
    ]);
  });

  test('uses the stored page of a domain, or none', async () => {
    const made = await ask(
      'POST /api/domains',
      form({ domain_name: newName(), template_id: String(template), html_file: html('<p>Kept</p>') }),
    );
    const domain_id = String(made.body.data.id);
    expect((await get((await preview({ domain_id })).body.url)).text).toContain('<p>Kept</p>');
    expect((await get((await preview()).body.url)).text).toContain('one</h1>');
    const other = await createPerson(server);
    expect(
      (await ask('POST /api/site_previews', { template_id: template, domain_name: 'a.example', domain_id }, other))
        .status,
    ).toBe(422);
  });

  test('answers 404 or 400 for every path that is not part of it', async () => {
    const { url } = (await preview()).body;
    const base = url.replace('index.html', '');
    for (const path of [
      'nothing.html',
      '../',
      '..%2f..%2fetc/passwd',
      '%2e%2e/x',
      'css',
      'css/',
      '%00',
      'index.html%00',
      '__proto__',
      'a//b',
    ]) {
      expect([path, (await get(base + path)).status]).toEqual([
        path,
        expect.toSatisfy((status: number) => status === 404 || status === 400),
      ]);
    }
    const token = url.split('/')[3];
    for (const wrong of [token.slice(1), `${token}x`, token.toUpperCase(), 'constructor']) {
      expect((await get(`/api/site_previews/${wrong}/index.html`)).status).toBe(404);
    }
  });

  test('rewrites paths from the root, but no URLs of other hosts', async () => {
    const zip = zipSync({
      'index.html': strToU8(
        `<link href="/a.css"><img src='/i.png'><a href=/x>x</a><img src="https://SITE_URL/i.png"><img src="//cdn.example/i.png"><p style="background:url('/b.png')">`,
      ),
      'a.css': strToU8('@import "/b.css"; a { background: url(/i.png) }'),
    });
    const made = await ask('POST /api/templates', form({ name: newName(), template_file: new File([zip], 'a.zip') }));
    const { url } = (await preview({ template_id: String(made.body.data.id) })).body;
    const base = url.replace('index.html', '');
    expect((await get(url)).text).toBe(
      `<link href="${base}a.css"><img src='${base}i.png'><a href=${base}x>x</a><img src="${base}i.png"><img src="//cdn.example/i.png"><p style="background:url('${base}b.png')">`,
    );
    expect((await get(`${base}a.css`)).text).toBe(`@import "${base}b.css"; a { background: url(${base}i.png) }`);
  });

  test('is dropped when there are twenty newer ones', async () => {
    const { url } = (await preview()).body;
    const more = [];
    for (let count = 0; count < 20; count += 1) more.push((await preview()).body.url);
    expect((await get(url)).status).toBe(404);
    expect(await Promise.all(more.map(async (one) => (await get(one)).status))).toEqual(more.map(() => 200));
  });

  test('is refused for a file that is no page, with its field', async () => {
    expect((await preview({ html_file: html(PAGE, 'a.txt') })).body.fields).toEqual({ html_file: expect.any(String) });
    expect((await preview({ template_id: '999999' })).status).toBe(422);
  });
});

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
