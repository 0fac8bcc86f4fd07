import { describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { itemOn } from '../../../src/operations/locks.ts';
import { cancelOperation, enqueue } from '../../../src/operations/queue.ts';
import { form } from '../../support/server.ts';
import { newName } from '../calls.ts';
import { ask, create, DOMAIN_FIELDS, names, observe, other, owner, project, useDomains } from './world.ts';

useDomains();

describe('one domain', () => {
  test('has every field of the contract, with its defaults', async () => {
    const domain_name = newName();
    const made = await create({ domain_name });
    for (const field of DOMAIN_FIELDS.split(' ')) expect(made).toHaveProperty(field);
    expect(made).toMatchObject({
      domain_name,
      type: 'main',
      transfer_type: 'auto',
      transfer_dns: 'off',
      status: 'available',
      file_path: `/var/www/www-root/data/www/${domain_name}`,
      user_login: owner.login,
      project_id: null,
      project_name: null,
      http_status_code: null,
      google_indexation: null,
      expired_at: null,
    });
    expect(new Date(made.created_at).toISOString()).toBe(made.created_at);
    expect((await ask(`GET /api/domains/${made.id}`)).body).toEqual({ data: made });
  });

  test('has an indexation of true, false or null', async () => {
    const { id } = await create();
    await observe(id, { google_indexation: 1, yandex_indexation: 0 });
    const { data } = (await ask(`GET /api/domains/${id}`)).body;
    expect([data.google_indexation, data.yandex_indexation]).toEqual([true, false]);
  });

  test('gets a cleaned name: blanks, scheme, case, trailing dot and slash, IDN', async () => {
    const spellings: Record<string, string> = {
      '  https://Some Name-1.EXAMPLE/ ': 'somename-1.example',
      'HTTP://Пример.рф': 'xn--e1afmkfd.xn--p1ai',
      'trailing.example.': 'trailing.example',
      'münchen.example': 'xn--mnchen-3ya.example',
    };
    for (const [typed, domain_name] of Object.entries(spellings)) {
      expect((await create({ domain_name: typed })).domain_name).toBe(domain_name);
    }
    const wrong = [
      '',
      'localhost',
      'a_b.example',
      '127.0.0.1',
      'a..example',
      'a.example/path',
      'x:80',
      'http://',
      'a@b.example',
    ];
    for (const domain_name of wrong) {
      const answer = await ask('POST /api/domains', { domain_name });
      expect([domain_name, answer.status, Object.keys(answer.body.fields)]).toEqual([
        domain_name,
        400,
        ['domain_name'],
      ]);
    }
  });

  test('with a taken name in any spelling is 409, without naming the owner', async () => {
    const { domain_name } = await create();
    const mine = await ask('POST /api/domains', { domain_name: `https://${domain_name.toUpperCase()}.` });
    const theirs = await ask('POST /api/domains', { domain_name }, other);
    expect(mine).toMatchObject({ status: 409, body: { code: 'domain_taken' } });
    expect(theirs.text).toBe(mine.text);
    expect(theirs.text).not.toContain(owner.login);
    const second = await create();
    expect((await ask(`POST /api/domains/${second.id}`, { domain_name })).status).toBe(409);
  });

  test('can be sent as a form with a file, too', async () => {
    const domain_name = newName();
    const html_file = new File(['<p>hello</p>'], '../../index.html', { type: 'text/html' });
    const body = form({
      domain_name,
      type: 'transfer',
      transfer_type: 'manual',
      project_id: String(await project('F')),
      html_file,
    });
    const { status, body: answer } = await ask('POST /api/domains', body);
    expect([status, answer.data.type, answer.data.transfer_type, answer.data.project_name]).toEqual([
      200,
      'transfer',
      'manual',
      'F',
    ]);
    const edit = form({ domain_name, type: 'main', project_id: '', expired_at: '2027-01-31', html_file });
    const { data } = (await ask(`POST /api/domains/${answer.data.id}`, edit)).body;
    expect(data).toMatchObject({ type: 'main', project_id: null, expired_at: '2027-01-31T00:00:00.000Z' });
  });

  test('is changed by an edit only in the fields that were sent', async () => {
    const made = await create({ type: 'transfer', expired_at: '2030-05-06', project_id: await project('Kept') });
    const { data } = (await ask(`POST /api/domains/${made.id}`, { transfer_dns: 'on' })).body;
    expect(data).toEqual({ ...made, transfer_dns: 'on', updated_at: data.updated_at });
    const cleared = (await ask(`POST /api/domains/${made.id}`, { project_id: null, expired_at: null })).body.data;
    expect(cleared).toMatchObject({ project_id: null, expired_at: null, type: 'transfer', transfer_dns: 'on' });
  });

  test('loses its observed state when it is renamed', async () => {
    const made = await create();
    const seen = {
      status: 'blocked',
      block_entry: 'x',
      http_status_code: 200,
      last_http_check_at: '2026-01-01T00:00:00.000Z',
    };
    await observe(made.id, seen);
    const kept = (await ask(`POST /api/domains/${made.id}`, { domain_name: made.domain_name, type: 'main' })).body.data;
    expect(kept).toMatchObject(seen);
    const renamed = (await ask(`POST /api/domains/${made.id}`, { domain_name: newName() })).body.data;
    expect(renamed).toMatchObject({
      status: 'available',
      block_entry: null,
      http_status_code: null,
      last_http_check_at: null,
    });
  });

  test('loses its baseline and check figures when it is renamed, and keeps them at any other edit', async () => {
    const { id, domain_name } = await create();
    await transaction(async () => {
      await execute(`INSERT INTO verdict_baselines (domain_id, status, since) VALUES ($id, 'available', '')`, { id });
      await execute(
        `INSERT INTO check_samples (domain_id, day, checks, up, ms) VALUES ($id, '2026-01-01', 1, 1, '90')`,
        { id },
      );
    });
    const kept = () =>
      select(
        `SELECT (SELECT count(*) FROM verdict_baselines WHERE domain_id = $id) AS baselines,
           (SELECT count(*) FROM check_samples WHERE domain_id = $id) AS samples`,
        { id },
      );
    await ask(`POST /api/domains/${id}`, { domain_name, type: 'transfer' });
    expect(await kept()).toEqual([{ baselines: 1, samples: 1 }]);
    await ask(`POST /api/domains/${id}`, { domain_name: newName() });
    expect(await kept()).toEqual([{ baselines: 0, samples: 0 }]);
  });

  test('with a taken IDN tells it as people read it', async () => {
    await create({ domain_name: 'занятый-домен.рф' });
    const { body } = await ask('POST /api/domains', { domain_name: 'Занятый-домен.РФ.' });
    expect(body.error).toMatch(/: занятый-домен\.рф$/);
    expect(body.fields.domain_name).toBe(body.error);
  });

  test('with a taken name is 409 also if the domain that has it has the id 1', async () => {
    const { id, domain_name } = await create();
    await transaction(() => execute('UPDATE domains SET id = 1 WHERE id = $id', { id }));
    expect((await ask('POST /api/domains', { domain_name })).body).toMatchObject({ code: 'domain_taken' });
  });

  test('cannot be deleted during a transfer, nor edited in the fields that the transfer uses', async () => {
    const made = await create();
    const project_id = await project('P');
    const { id } = await enqueue({
      kind: 'tests',
      subject: 'all',
      user_id: null,
      input: {},
      message: { key: 'check.started' },
      locks: [{ kind: 'domain', name: made.domain_name }],
    });
    const edit = async (body: object) => (await ask(`POST /api/domains/${made.id}`, body)).body.code ?? 'edited';
    for (const change of [{ domain_name: newName() }, { type: 'transfer' }, { project_id }, { file_path: '/srv/x' }]) {
      expect([change, await edit(change)]).toEqual([change, 'domain_locked']);
    }
    // Unchanged values, and fields that a transfer does not use, are accepted.
    expect(await edit({ domain_name: made.domain_name, type: 'main' })).toBe('edited');
    expect(await edit({ transfer_type: 'manual' })).toBe('edited');
    expect(await ask(`DELETE /api/domains/${made.id}`)).toMatchObject({ status: 409, body: { code: 'domain_locked' } });
    await cancelOperation(id);
    expect(await edit({ type: 'transfer' })).toBe('edited');
    expect((await ask(`DELETE /api/domains/${made.id}`)).status).toBe(200);
  });

  test.each([
    { kind: 'site' },
    { kind: 'dns' },
    { kind: 'dns', part: 'sub' },
    { kind: 'tls', part: 'account 2' },
    { kind: 'under_attack' },
    { kind: 'rule', part: '17' },
  ])('cannot be deleted while %j of it is under way, and the refusal names the operation', async (lock) => {
    const made = await create();
    const work = { kind: 'tests', subject: made.domain_name, user_id: null, input: {} };
    const items = [{ ...itemOn({ ...lock, name: made.domain_name }), lane: 'x', data: {} }];
    const { id } = await enqueue({ ...work, message: { key: 'check.started' }, items });
    const refused = await ask(`DELETE /api/domains/${made.id}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'busy']);
    expect(refused.body.error).toContain(String(id));
    await cancelOperation(id);
    expect((await ask(`DELETE /api/domains/${made.id}`)).status).toBe(200);
  });

  test('with an unknown account, server or template is refused with the name of the field', async () => {
    for (const field of ['server_id', 'cloudflare_account_id', 'registrars_id', 'template_id', 'project_id']) {
      const answer = await ask('POST /api/domains', { domain_name: newName(), [field]: 987_654 });
      expect([field, answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([field, 422, [field]]);
    }
  });

  test('has an absolute path on the server without detours', async () => {
    const made = await create({ file_path: '/srv/site' });
    expect(made.file_path).toBe('/srv/site');
    for (const file_path of [
      'srv',
      '/a/../b',
      '/a/..',
      '//a',
      '/~root',
      '/a\\b',
      '/a\nb',
      '/a\0b',
      `/${'x'.repeat(600)}`,
    ]) {
      expect((await ask(`POST /api/domains/${made.id}`, { file_path })).status).toBe(400);
    }
    const { data } = (await ask(`POST /api/domains/${made.id}`, { file_path: '' })).body;
    expect(data.file_path).toBe(`/var/www/www-root/data/www/${made.domain_name}`);
  });

  test('that is deleted is gone and frees its name, and can be restored', async () => {
    const made = await create({ type: 'transfer' });
    expect((await ask(`DELETE /api/domains/${made.id}`)).body.message).toContain(made.domain_name);
    for (const call of ['GET', 'DELETE']) expect((await ask(`${call} /api/domains/${made.id}`)).status).toBe(404);
    expect(names(await ask('GET /api/domains'))).toEqual([]);
    expect((await ask(`POST /api/domains/${made.id}/restore`, {})).body.data).toMatchObject({ type: 'transfer' });
    expect((await ask(`POST /api/domains/${made.id}/restore`, {})).status).toBe(404);
    await ask(`DELETE /api/domains/${made.id}`);
    await create({ domain_name: made.domain_name });
    expect((await ask(`POST /api/domains/${made.id}/restore`, {})).status).toBe(409);
  });
});
