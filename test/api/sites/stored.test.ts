// Sites that are stored through the API.
import { describe, expect, test } from 'vitest';
import { select, transaction } from '../../../db/index.ts';
import { insertRow } from '../../../db/rows.ts';
import { servers } from '../../../src/shared/accounts/tables.ts';
import { deleteDomain, updateDomain } from '../../../src/services/portfolio/domains.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { updateDomainWithSite } from '../../../src/services/sites/domain-sites.ts';
import { keepSite } from '../../../src/services/sites/sites.ts';
import { whileWaiting } from '../../support/database.ts';
import { createPerson, form } from '../../support/server.ts';
import { newName } from '../calls.ts';
import { ask, html, makeTemplate, PAGE, server, template, useSites } from './world.ts';

useSites();

const chooseTemplate = (id: number, template_id: number) =>
  updateDomainWithSite(SYSTEM, id, { template_id }, ['template_id'], { file: undefined, deploy: undefined });

const makeServer = (ssh_host: string): Promise<number> =>
  transaction(() =>
    insertRow(servers, { name: ssh_host, ssh_host, ssh_user: 'root', ssh_password: 'x', created_at: '' }),
  );

/** Adds a domain at a server whose site is kept and not deployed. */
async function keepAt(server_id: number): Promise<{ id: number; domain_name: string }> {
  const domain_name = newName();
  const given = { domain_name, server_id: String(server_id), template_id: String(template), deploy: 'off' };
  const { body } = await ask('POST /api/domains', form({ ...given, html_file: html() }));
  return { id: body.data.id, domain_name };
}

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

  test('keeps the template that somebody else has chosen while a page waits for other writes', async () => {
    const made = form({ domain_name: newName(), template_id: String(template), html_file: html() });
    const { id } = (await ask('POST /api/domains', made)).body.data;
    const other = await makeTemplate('chosen meanwhile');
    const answer = await whileWaiting(
      () => ask(`POST /api/domains/${id}`, form({ html_file: html('<p>Вторая</p>', 'second.html') })),
      () => chooseTemplate(id, other),
    );
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
    const { body } = await ask(`GET /api/domains/${id}/site`);
    expect(body.data).toMatchObject({ template_id: other, html_name: 'page.html' });
    expect((await ask(`GET /api/domains/${id}`)).body).toMatchObject({ data: { template_id: other } });
  });

  test('keeps the page that somebody else has stored while another template waits for other writes', async () => {
    const made = form({ domain_name: newName(), template_id: String(template), html_file: html() });
    const { id } = (await ask('POST /api/domains', made)).body.data;
    const other = await makeTemplate('waits');
    const page = { template_id: template, html_name: 'second.html', html: '<p>Вторая</p>' };
    const answer = await whileWaiting(
      () => ask(`POST /api/domains/${id}`, { template_id: other }),
      () => keepSite(id, page),
    );
    expect(answer.status).toBe(409);
    expect((await ask(`GET /api/domains/${id}/site`)).body.data.html_name).toBe('second.html');
  });

  test('is deployed, where the call waits for other writes, to the server that its domain has by then', async () => {
    const [first, second] = [await makeServer('192.0.2.9'), await makeServer('192.0.2.10')];
    const { id } = await keepAt(first);
    const answer = await whileWaiting(
      () => ask(`POST /api/domains/${id}/deploy`, {}),
      () => updateDomain(SYSTEM, id, { server_id: second }, ['server_id']),
    );
    const of = { id: answer.body.operation.id };
    const items = await select('SELECT lane_id FROM operation_items WHERE operation_id = $id', of);
    expect(items).toEqual([{ lane_id: second }]);
  });

  test('is not deployed for a domain that is deleted while the call waits for other writes', async () => {
    const { id, domain_name } = await keepAt(await makeServer('192.0.2.11'));
    const answer = await whileWaiting(
      () => ask(`POST /api/domains/${id}/deploy`, {}),
      () => deleteDomain(SYSTEM, id),
    );
    const begun = await select('SELECT id FROM operations WHERE subject = $domain_name', { domain_name });
    expect([answer.status, begun]).toEqual([404, []]);
  });

  test('leaves in the audit what it was made of before and what it is made of now, without its text', async () => {
    const made = await ask(
      'POST /api/domains',
      form({ domain_name: newName(), template_id: String(template), html_file: html() }),
    );
    const { id } = made.body.data;
    await ask(`POST /api/domains/${id}`, form({ html_file: html('<p>Вторая</p>', 'second.html') }));
    const { body } = await ask(`GET /api/audit?object=domains&object_id=${id}`, undefined, server.admin);
    const site = { template_id: template, html_name: 'page.html', html: `${Buffer.byteLength(PAGE)} bytes` };
    expect(body.data[0]).toMatchObject({
      action: 'update',
      before: { site },
      after: { site: { ...site, html_name: 'second.html', html: '19 bytes' } },
    });
    expect(body.data[1]).toMatchObject({ action: 'create', before: null, after: { site } });
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
    [
      'deploying without a page and a server',
      () => ({ deploy: 'on' }),
      422,
      { html_file: expect.any(String), server_id: expect.any(String) },
    ],
    [
      'deploying without a template and a server',
      () => ({ deploy: 'on', template_id: '', html_file: html() }),
      422,
      { template_id: expect.any(String), server_id: expect.any(String) },
    ],
    [
      'deploying without anything',
      () => ({ deploy: 'on', template_id: '' }),
      422,
      {
        template_id: 'Чтобы развернуть сайт, выберите шаблон',
        html_file: 'Чтобы развернуть сайт, выберите файл HTML',
        server_id: 'Выберите сервер',
      },
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

  test('is told all that its deployment lacks, beside what is stored', async () => {
    const made = await ask('POST /api/domains', { domain_name: newName(), template_id: template });
    const { status, body } = await ask(`POST /api/domains/${made.body.data.id}`, { deploy: 'on' });
    expect([status, Object.keys(body.fields)]).toEqual([422, ['html_file', 'server_id']]);
    expect(body).toMatchObject({ code: 'site_incomplete', error: 'Проверьте введённые данные: html_file, server_id' });
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
