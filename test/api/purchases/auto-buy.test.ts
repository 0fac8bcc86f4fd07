// How reserves of a project are bought: the settings through the API, as the specification has them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { executeUnaudited, transaction } from '../../../db/index.ts';
import { LOGIN } from '../../support/registrars/shops.ts';
import { createPerson, request, startServer, type Answer, type Person, type TestServer } from '../../support/server.ts';
import { DEFAULT_TEMPLATE } from '../../../src/shared/names/name-template.ts';
import { newName } from '../calls.ts';

let server: TestServer;
let owner: Person;
let other: Person;
let admin: Person;
beforeAll(async () => {
  server = await startServer({
    registrarUrls: { 'reg.ru': 'http://127.0.0.1:9', 'porkbun.com': 'http://127.0.0.1:9' },
  });
  [owner, other] = [await createPerson(server), await createPerson(server)];
  admin = server.admin;
});
afterAll(() => server.close());

const ask = (call: string, body?: unknown, { token }: Person = owner): Promise<Answer> =>
  request(server, call, { token, ...(body === undefined ? {} : { body }) });
const makeProject = async (person = owner): Promise<number> =>
  (await ask('POST /api/projects', { name: newName() }, person)).body.data.id;
const makeRegistrar = async (type = 'reg.ru', person = owner): Promise<number> => {
  const settings = type === 'reg.ru' ? { profile_type: 'RU.PP', profile_name: 'main' } : {};
  const { login, password } = LOGIN;
  return (await ask('POST /api/registrars', { type, name: newName(), login, password, ...settings }, person)).body.data
    .id;
};
const makeGroup = async (): Promise<number> =>
  (await ask('POST /api/cloudflare_groups', { name: newName(), accounts: [] })).body.id;

const TEMPLATE = '{mir|dom}-{play|win}{1|2}.ru';

test('a project that never saved any has the default template, on, one reserve, and nothing chosen', async () => {
  const project_id = await makeProject();
  const { status, body } = await ask(`GET /api/auto_buy/${project_id}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    project_id,
    template: DEFAULT_TEMPLATE,
    registrars_id: null,
    cloudflare_groups_id: null,
    state: 'on',
    wanted_reserves: 1,
  });
});

test.each(['POST /api/auto_buy/', 'POST /api/auto_buy'])('%s stores settings, and answers 200', async (call) => {
  const [project_id, registrars_id, cloudflare_groups_id] = [
    await makeProject(),
    await makeRegistrar(),
    await makeGroup(),
  ];
  const settings = { template: TEMPLATE, registrars_id, project_id, cloudflare_groups_id, state: 'off' };
  const { status, body } = await ask(call, settings);
  expect({ status, body }).toEqual({ status: 200, body: { message: 'Данные успешно сохранены!' } });
  expect((await ask(`GET /api/auto_buy/${project_id}`)).body).toEqual({ ...settings, wanted_reserves: 1 });
  await ask(call, { ...settings, state: 'on', wanted_reserves: 3 });
  await ask(call, { ...settings, state: 'on' });
  expect((await ask(`GET /api/auto_buy/${project_id}`)).body).toMatchObject({ state: 'on', wanted_reserves: 3 });
});

test('an absent field stays as it is stored: nobody switches buying on by another field', async () => {
  const [project_id, registrars_id, cloudflare_groups_id] = [
    await makeProject(),
    await makeRegistrar(),
    await makeGroup(),
  ];
  const settings = {
    project_id,
    template: TEMPLATE,
    registrars_id,
    cloudflare_groups_id,
    state: 'off',
    wanted_reserves: 4,
  };
  await ask('POST /api/auto_buy', settings);
  const changes = [{ wanted_reserves: 2 }, { template: 'mir{1|2}.com' }, { registrars_id: null }, {}, { state: 'on' }];
  for (const [index, change] of changes.entries()) {
    expect((await ask('POST /api/auto_buy', { project_id, ...change })).status).toBe(200);
    const expected = Object.assign({}, settings, ...changes.slice(0, index + 1));
    expect((await ask(`GET /api/auto_buy/${project_id}`)).body).toEqual(expected);
  }
});

test('new settings without a state are on, and without a template are refused', async () => {
  const project_id = await makeProject();
  const { status, body } = await ask('POST /api/auto_buy', { project_id, state: 'off' });
  expect({ status, body }).toEqual({
    status: 400,
    body: {
      error: 'Проверьте введённые данные: template',
      code: 'invalid',
      fields: { template: 'Шаблон не может быть пустым' },
    },
  });
  await ask('POST /api/auto_buy', { project_id, template: TEMPLATE });
  expect((await ask(`GET /api/auto_buy/${project_id}`)).body.state).toBe('on');
});

test('a registrar that can no longer buy the names does not keep anybody from switching off', async () => {
  const [project_id, registrars_id] = [await makeProject(), await makeRegistrar('porkbun.com')];
  await ask('POST /api/auto_buy', { project_id, template: 'mir{1|2}.com', registrars_id });
  const spoil = "UPDATE auto_buy SET template = 'mir{1|2}.ru' WHERE project_id = $project_id";
  await transaction(() => executeUnaudited('check', spoil, { project_id }));
  expect((await ask('POST /api/auto_buy', { project_id, state: 'off' })).status).toBe(200);
  expect((await ask('POST /api/auto_buy', { project_id, registrars_id })).status).toBe(422);
});

test.each([
  ['no template', { template: undefined }, 400, 'template'],
  ['an empty template', { template: ' ' }, 400, 'template'],
  ['a template without a zone', { template: '{a|b}' }, 400, 'template'],
  ['a nested template', { template: '{a|{b|c}}.ru' }, 400, 'template'],
  ['a group of one option', { template: '{a}.ru' }, 400, 'template'],
  ['a state of another kind', { state: 'maybe' }, 400, 'state'],
  ['a number of reserves that is none', { wanted_reserves: 1.5 }, 400, 'wanted_reserves'],
  ['an unknown registrar', { registrars_id: 999_999 }, 422, 'registrars_id'],
  ['an unknown group', { cloudflare_groups_id: 999_999 }, 422, 'cloudflare_groups_id'],
  ['an unknown project', { project_id: 999_999 }, 422, 'project_id'],
])('%s is refused at its field, and nothing is stored', async (_title, fields, status, field) => {
  const project_id = await makeProject();
  const answer = await ask('POST /api/auto_buy', { project_id, template: TEMPLATE, ...fields });
  expect(answer.status).toBe(status);
  expect(Object.keys(answer.body.fields)).toEqual([field]);
  expect((await ask(`GET /api/auto_buy/${project_id}`)).body.template).toBe(DEFAULT_TEMPLATE);
});

test.each([
  ['expired.ru', TEMPLATE, 'expired.ru не продаёт свободные домены: выберите другого регистратора'],
  ['porkbun.com', TEMPLATE, 'porkbun.com не продаёт .ru: выберите другого регистратора или зону'],
  ['porkbun.com', 'mir{1|2}.{ru|su}', 'porkbun.com не продаёт .ru, .su: выберите другого регистратора или зону'],
])('%s, which cannot buy %s, is refused with the reason', async (type, template, message) => {
  const [project_id, registrars_id] = [await makeProject(), await makeRegistrar(type)];
  const { status, body } = await ask('POST /api/auto_buy', { project_id, template, registrars_id });
  expect({ status, error: body.error }).toEqual({ status: 422, error: message });
});

test('a registrar that sells one of the zones of a template is taken', async () => {
  const [project_id, registrars_id] = [await makeProject(), await makeRegistrar('porkbun.com')];
  const { status } = await ask('POST /api/auto_buy', { project_id, template: 'mir{1|2}.{ru|com}', registrars_id });
  expect(status).toBe(200);
});

test("another user's project is not there, for reading or for writing; an admin has it", async () => {
  const project_id = await makeProject();
  expect((await ask(`GET /api/auto_buy/${project_id}`, undefined, other)).status).toBe(404);
  expect((await ask('POST /api/auto_buy', { project_id, template: TEMPLATE }, other)).status).toBe(422);
  expect((await ask('POST /api/auto_buy', { project_id, template: TEMPLATE }, admin)).status).toBe(200);
});

test('a registrar and a group that a project buys with are not deleted, and the refusal names the project', async () => {
  const [project_id, registrars_id, cloudflare_groups_id] = [
    await makeProject(),
    await makeRegistrar(),
    await makeGroup(),
  ];
  await ask('POST /api/auto_buy', { project_id, template: TEMPLATE, registrars_id, cloudflare_groups_id });
  const projects = (await ask('GET /api/user_projects')).body.data as { id: number; name: string }[];
  const name = projects.find(({ id }) => id === project_id)?.name ?? '';
  for (const path of [`registrars/${registrars_id}`, `cloudflare_groups/${cloudflare_groups_id}`]) {
    const { status, body } = await ask(`DELETE /api/${path}`);
    expect(status).toBe(409);
    expect(body.error).toContain(name);
    const seen = await ask(`DELETE /api/${path}`, undefined, admin);
    expect(seen.body.error).toContain(name);
  }
  // A deleted project holds nothing.
  await ask(`DELETE /api/projects/${project_id}`);
  expect((await ask(`DELETE /api/registrars/${registrars_id}`)).status).toBe(200);
  expect((await ask(`DELETE /api/cloudflare_groups/${cloudflare_groups_id}`)).status).toBe(200);
});

test('a template of a million million names is taken at once', async () => {
  const group = `{${Array.from({ length: 1000 }, (_, index) => `a${index}`).join('|')}}`;
  const project_id = await makeProject();
  const { status } = await ask('POST /api/auto_buy', { project_id, template: `${group}${group}${group}${group}.ru` });
  expect(status).toBe(200);
});
