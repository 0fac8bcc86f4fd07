// The links that download a template without a token.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { execute, executeUnaudited, transaction } from '../../../db/index.ts';
import { createApp } from '../../../src/api/app.ts';
import { deriveKey, loadKey } from '../../../src/lib/key.ts';
import type { EventStream } from '../../../src/services/system/events.ts';
import { disableUser } from '../../../src/services/access/user-changes.ts';
import { createPerson, request, signIn, type Person } from '../../support/server.ts';
import { SITE, zipFile, zipOf } from '../../support/zips.ts';
import { add, owner, rowOf, send, server, useTemplates } from './world.ts';

useTemplates();

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

  it('is made for an API token that may read as well, and ends with it', async () => {
    const { id } = await add();
    const body = { name: 'script', scope: 'read', days: 1 };
    const { token, data } = (await request(server, 'POST /api/tokens', { token: owner.token, body })).body;
    const { file_path } = await rowOf(id, { ...owner, token });
    expect((await fetchOf(file_path)).status).toBe(200);
    await request(server, `DELETE /api/tokens/${data.id}`, { token: owner.token });
    await expectDead(file_path);
  });

  it('of an API token ends when the token expires, or its user is disabled', async () => {
    const { id } = await add();
    const person = await createPerson(server);
    const body = { name: 'script', scope: 'read', days: 1 };
    const made = (await request(server, 'POST /api/tokens', { token: person.token, body })).body;
    const { file_path } = await rowOf(id, { ...person, token: made.token });
    expect((await fetchOf(file_path)).status).toBe(200);
    const setEnd = (expires_at: string) =>
      transaction(() =>
        executeUnaudited('token_use', 'UPDATE api_tokens SET expires_at = $expires_at WHERE id = $id', {
          expires_at,
          id: made.data.id,
        }),
      );
    await setEnd(new Date(Date.now() - 1_000).toISOString());
    await expectDead(file_path);
    await setEnd(made.data.expires_at);
    expect((await fetchOf(file_path)).status).toBe(200);
    await disableUser(person.login);
    await expectDead(file_path);
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
