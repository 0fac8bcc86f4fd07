// A name of which a label begins or ends with a hyphen cannot exist: no new row gets one, and an older row that has one stays usable.
import { expect, test } from 'vitest';
import { ask, create, observe, server, useDomains } from './world.ts';

useDomains();

const REASON = 'Имя домена не может начинаться или заканчиваться дефисом';
const NAMES = ['-bad.ru', 'bad-.ru', 'a.b-', 'www.-bad.ru'];
const count = async (): Promise<number> => (await ask('GET /api/domains')).body.data.length;

test.each(NAMES)('%s is refused at its field: added, by the table editor, and as a new name', async (domain_name) => {
  const refused = { status: 400, body: { fields: { domain_name: REASON } } };
  expect(await ask('POST /api/domains', { domain_name })).toMatchObject(refused);
  expect(await ask('POST /api/tables/domains', { domain_name }, server.admin)).toMatchObject(refused);
  expect(await count()).toBe(0);
  const { id } = await create();
  expect(await ask(`POST /api/domains/${id}`, { domain_name })).toMatchObject(refused);
  expect(await ask('POST /api/tables/domains', { id, domain_name }, server.admin)).toMatchObject(refused);
});

test('an import tells of it in its row, and takes the others', async () => {
  const body = { text: `${NAMES.join('\n')}\ngood.ru` };
  const { body: preview } = await ask('POST /api/imports/preview', body);
  expect(preview.counts).toMatchObject({ create: 1, error: NAMES.length });
  const message = { field: 'domain_name', key: 'name.hyphen' };
  expect(preview.groups).toMatchObject([{ action: 'error', count: NAMES.length, message }]);
  await ask('POST /api/imports', body);
  expect(await count()).toBe(1);
});

test('an older row with such a name is read, edited with its name in the body, and imported over', async () => {
  const { id } = await create({ domain_name: 'old.ru' });
  await observe(id, { domain_name: 'old-.ru', unicode_name: 'old-.ru' });
  const { data } = (await ask(`GET /api/domains/${id}`)).body;
  expect(data.domain_name).toBe('old-.ru');
  const { domain_name, file_path } = data;
  const edited = await ask(`POST /api/domains/${id}`, {
    domain_name,
    file_path,
    type: 'transfer',
    transfer_type: 'auto',
  });
  expect([edited.status, edited.body.data.type]).toEqual([200, 'transfer']);
  expect((await ask('POST /api/tables/domains', { id, type: 'main' }, server.admin)).status).toBe(200);
  const body = { text: 'domain;mode\nold-.ru;manual', mode: 'overwrite' };
  expect((await ask('POST /api/imports/preview', body)).body.counts).toMatchObject({ update: 1, error: 0 });
  expect((await ask(`POST /api/domains/${id}`, { domain_name: 'new.ru' })).status).toBe(200);
});
