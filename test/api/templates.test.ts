// Templates over HTTP: the form, the rights, and the links that download without a token.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { createApp } from '../../src/api/app.ts';
import { deriveKey, loadKey } from '../../src/lib/key.ts';
import type { EventStream } from '../../src/services/system/events.ts';
import { openTemplate } from '../../src/services/sites/templates.ts';
import { disableUser } from '../../src/services/access/users.ts';
import { dump } from '../support/database.ts';
import {
  createPerson,
  form,
  request,
  signIn,
  startServer,
  type Answer,
  type Person,
  type TestServer,
} from '../support/server.ts';
import { CORPUS } from '../support/zip-corpus/corpus.ts';
import { SITE, zipFile, zipOf } from '../support/zips.ts';
import { makeDomain, newName } from './calls.ts';

let server: TestServer;
let owner: Person;
let other: Person;

beforeAll(async () => {
  server = await startServer();
  [owner, other] = [await createPerson(server), await createPerson(server)];
});
afterAll(() => server.close());
afterEach(() => {
  vi.useRealTimers();
});

type Fields = Parameters<typeof form>[0];

const send = (call: string, fields: Fields, { token }: Person = owner): Promise<Answer> =>
  request(server, call, { token, body: form(fields) });
const get = (path: string, { token }: Person = owner): Promise<Answer> => request(server, `GET ${path}`, { token });

// oxlint-disable-next-line typescript/no-explicit-any -- an answer of any call
async function add(name = newName(), bytes = zipOf(SITE), person = owner): Promise<any> {
  const { body } = await send('POST /api/templates', { name, template_file: zipFile(bytes) }, person);
  return body.data;
}

const rowOf = async (id: number, person = owner) =>
  (await get('/api/templates', person)).body.data.find((row: { id: number }) => row.id === id);

describe('a template', () => {
  it('is added, listed, edited and deleted', async () => {
    const bytes = zipOf(SITE);
    const { status, body } = await send('POST /api/templates', {
      name: ' Промо ',
      template_file: zipFile(bytes, 'промо.zip'),
    });
    expect(status).toBe(200);
    const { id } = body.data;
    expect(body.data).toEqual({
      id,
      name: 'Промо',
      file_name: 'промо.zip',
      file_path: expect.stringMatching(/^\/api\/template_files\/[\w.-]+$/),
      size: bytes.length,
      files: 3,
      placeholders: ['SITE_URL', 'TITLE', 'DESCRIPTION', 'BODY'],
      domains: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      can_edit: true,
    });
    expect(await rowOf(id, other)).toMatchObject({ name: 'Промо', can_edit: false });
    const renamed = await send(`POST /api/templates/${id}`, { name: 'Other' });
    expect(renamed.body.data).toMatchObject({ name: 'Other', file_name: 'промо.zip', size: bytes.length });
    const next = zipOf({ 'index.html': 'BODY' });
    const edited = await send(`POST /api/templates/${id}`, { template_file: zipFile(next, 'b.zip') });
    expect(edited.body.data).toMatchObject({ name: 'Other', file_name: 'b.zip', files: 1, placeholders: ['BODY'] });
    expect(await openTemplate(id)).toEqual([{ path: 'index.html', content: Buffer.from('BODY') }]);
    const gone = await request(server, `DELETE /api/templates/${id}`, { token: owner.token });
    expect(gone.body).toEqual({ message: 'Шаблон удалён: Other' });
    expect(await select('SELECT 1 FROM template_archives WHERE template_id = $id', { id })).toEqual([]);
  });

  it('lists its files and the placeholders in them', async () => {
    const { id } = await add('Tree', zipOf({ ...SITE, 'logo.png': new Uint8Array([0x89, 0x50, 0, 0xff]) }));
    const { body } = await get(`/api/templates/${id}`, other);
    expect(body.data).toMatchObject({ id, name: 'Tree', files: 4 });
    expect(body.data.entries).toEqual([
      { path: 'css/site.css', size: expect.any(Number), text: true, placeholders: [] },
      { path: 'index.html', size: expect.any(Number), text: true, placeholders: ['TITLE', 'DESCRIPTION', 'BODY'] },
      { path: 'logo.png', size: 4, text: false, placeholders: [] },
      { path: 'robots.txt', size: expect.any(Number), text: true, placeholders: ['SITE_URL'] },
    ]);
  });

  it.each<[string, string, Fields, object]>([
    [
      'no name',
      'Template name is required',
      { name: '  ', template_file: zipFile() },
      { name: 'Template name is required' },
    ],
    ['no file', 'Template file is required', { name: 'x' }, { template_file: 'Template file is required' }],
    [
      'another ending',
      'Only ZIP files are allowed',
      { name: 'x', template_file: zipFile(undefined, 'a.txt', 'text/plain') },
      { template_file: 'Only ZIP files are allowed' },
    ],
    [
      'another content',
      'Only ZIP files are allowed',
      { name: 'x', template_file: zipFile(Buffer.alloc(99, 'a')) },
      { template_file: 'Only ZIP files are allowed' },
    ],
    [
      'no page to begin with',
      '',
      { name: 'x', template_file: zipFile(zipOf({ 'a/b.html': 'x', 'c.html': 'x' })) },
      { template_file: expect.stringContaining('index.html') },
    ],
  ])('with %s is refused', async (_, error, fields, wrong) => {
    const before = await dump();
    const { status, body } = await send('POST /api/templates', fields);
    expect([status, body.fields]).toEqual([400, wrong]);
    expect(body.error).toContain(error === '' || error.includes('name') ? '' : error);
    expect(await dump()).toBe(before);
  });

  it('may have the type of a ZIP and any name', async () => {
    const file = zipFile(undefined, 'download', 'application/x-zip-compressed');
    expect((await send('POST /api/templates', { name: 'x', template_file: file })).status).toBe(200);
  });

  it('is not stored where its archive is refused; a refused edit keeps the old archive', async () => {
    const { id } = await add();
    const before = await dump();
    const refused = CORPUS.filter(({ verdict }) => typeof verdict === 'string');
    for (const [index, { name, make }] of refused.entries()) {
      const call = index % 2 === 0 ? 'POST /api/templates' : `POST /api/templates/${id}`;
      const { status, body } = await send(call, { name: 'hostile', template_file: zipFile(make()) });
      expect([name, status, Object.keys(body.fields)]).toEqual([name, 400, ['template_file']]);
    }
    expect(await dump()).toBe(before);
    expect(readdirSync(join(server.config.dataDir, 'tmp'))).toEqual([]);
  });

  it('is at most 20 MB', async () => {
    const { status } = await send('POST /api/templates', {
      name: 'x',
      template_file: zipFile(Buffer.alloc(21 * 1024 * 1024)),
    });
    expect(status).toBe(413);
  });

  it('can be edited and deleted only by its creator and by admins', async () => {
    const { id } = await add();
    for (const [call, fields] of [
      [`POST /api/templates/${id}`, { name: 'taken', template_file: zipFile() }],
      [`DELETE /api/templates/${id}`, {}],
    ] as const) {
      const { status, body } = await send(call, fields, other);
      expect([status, body.code]).toEqual([403, 'forbidden']);
    }
    expect((await send(`POST /api/templates/${id}`, { name: 'by an admin' }, server.admin)).status).toBe(200);
  });

  it('is not deleted while domains or sites use it', async () => {
    const { id } = await add('Used');
    const domain = await makeDomain(server, owner);
    const { domain_name } = (await get(`/api/domains/${domain}`)).body.data;
    await transaction(() =>
      execute(
        `INSERT INTO sites (domain_id, template_id, html_name, html, updated_at) VALUES ($domain, $id, 'a.html', '', '')`,
        { domain, id },
      ),
    );
    expect(await rowOf(id)).toMatchObject({ domains: 1 });
    const used = await request(server, `DELETE /api/templates/${id}`, { token: owner.token });
    expect([used.status, used.body.code]).toEqual([409, 'in_use']);
    expect(used.body.error).toContain(domain_name);
    await transaction(() => execute('UPDATE domains SET template_id = $id WHERE id = $domain', { id, domain }));
    expect(await rowOf(id)).toMatchObject({ domains: 1 });
    await request(server, `DELETE /api/domains/${domain}`, { token: owner.token });
    expect((await request(server, `DELETE /api/templates/${id}`, { token: owner.token })).status).toBe(200);
  });
});

describe('the link of a template', () => {
  const fetchOf = (path: string): Promise<Response> => fetch(server.url + path);

  it('returns the ZIP as uploaded, as an attachment', async () => {
    const bytes = zipOf(SITE);
    const { data } = (await send('POST /api/templates', { name: 'x', template_file: zipFile(bytes, 'Сайт "1"\n.zip') }))
      .body;
    const answer = await fetchOf(data.file_path);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(bytes.length),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const disposition = answer.headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^attachment; filename="[\w. -]+"; filename\*=UTF-8''[\w%.~!-]+$/);
    expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')).toMatch(/^Сайт .*1.*\.zip$/);
  });

  async function expectDead(path: string): Promise<void> {
    const answer = await fetchOf(path);
    expect([answer.status, await answer.json()]).toEqual([404, { error: 'Not found', code: 'not_found' }]);
  }

  it('expires after ten minutes', async () => {
    const { file_path } = await add();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 9.9 * 60_000);
    expect((await fetchOf(file_path)).status).toBe(200);
    vi.setSystemTime(Date.now() + 0.2 * 60_000);
    await expectDead(file_path);
  });

  it('is 404 with any character changed, removed or added', async () => {
    const { file_path } = await add();
    const [, token = ''] = /^\/api\/template_files\/(.+)$/.exec(file_path) ?? [];
    for (let at = 0; at < token.length; at++) {
      const sign = token[at] === 'A' ? 'B' : 'A';
      // The adjacent character, too: the last base64 character has bits that do not matter.
      const next = String.fromCharCode((token.charCodeAt(at) ^ 1) & 0x7f);
      for (const changed of new Set([sign, /[\w-]/.test(next) ? next : sign, ''])) {
        await expectDead(`/api/template_files/${token.slice(0, at)}${changed}${token.slice(at + 1)}`);
      }
    }
    for (const path of [`${token}A`, `${token}.`, `${token}=`, `.${token}`, token.split('.')[0], '.', 'x.y']) {
      await expectDead(`/api/template_files/${path}`);
    }
    for (const path of ['..%2f..%2fetc%2fpasswd', '%2e%2e/templates', '..%5c..%5cx', `${token}/..%2f`, '%00']) {
      expect([400, 404]).toContain((await request(server, `GET /api/template_files/${path}`)).status);
    }
    expect((await request(server, 'GET /api/template_files/../../etc/passwd')).status).toBe(404);
    expect((await fetchOf(file_path)).status).toBe(200);
  });

  it.each<[string, (person: Person) => Promise<unknown>]>([
    ['signed out', ({ token }) => request(server, 'POST /api/logout', { token, body: {} })],
    ['disabled', ({ login }) => disableUser(login)],
    ['deleted', ({ id }) => transaction(() => execute('DELETE FROM users WHERE id = $id', { id }))],
    ['demoted', ({ id }) => transaction(() => execute(`UPDATE users SET role = 'user' WHERE id = $id`, { id }))],
  ])('is 404 once its user is %s', async (_, end) => {
    const { id } = await add();
    const person = await createPerson(server, 'admin');
    const { file_path } = await rowOf(id, person);
    expect((await fetchOf(file_path)).status).toBe(200);
    await end(person);
    await expectDead(file_path);
  });

  it('ends with the session that it was made in, and with the template', async () => {
    const { id } = await add();
    const second = await signIn(server, owner.login);
    const { file_path } = await rowOf(id, { ...owner, token: second });
    const mine = (await rowOf(id)).file_path;
    await request(server, 'POST /api/logout', { token: second, body: {} });
    await expectDead(file_path);
    expect((await fetchOf(mine)).status).toBe(200);
    await request(server, `DELETE /api/templates/${id}`, { token: owner.token });
    expect((await fetchOf(mine)).status).toBe(404);
  });

  it('does not appear in the log', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
    const key = deriveKey(loadKey(server.config.keyFile), 'session tokens');
    const lent = { config: server.config, key, log, events: {} as EventStream, version: '0' };
    const handle = createApp(lent, async () => undefined).callback();
    const listening = createServer((incoming, outgoing) => void handle(incoming, outgoing)).listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
    const { file_path } = await add();
    expect((await fetch(url + file_path)).status).toBe(200);
    await fetch(`${url}${file_path}x`);
    listening.close();
    listening.closeAllConnections();
    expect(lines.join('')).toContain('/api/template_files/…');
    expect(lines.join('')).not.toContain(file_path.slice(-20));
  });
});
