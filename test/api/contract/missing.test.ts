// Errors of calls without a required field, and of an address without the method.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request, startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const fieldsOf = async (call: string, body: object): Promise<unknown> => {
  const answer = await request(server, call, { token: server.admin.token, body });
  expect([call, answer.status, answer.body.code]).toEqual([call, 400, 'invalid']);
  return answer.body.fields;
};

const REQUIRED = 'Обязательное поле';
const WRONG = 'Недопустимое значение';

test.each<[string, object, object]>([
  ['POST /api/manage-under-attack-mode-all', {}, { action: REQUIRED }],
  ['POST /api/manage-under-attack-mode-all', { action: 'on' }, { action: WRONG }],
  ['POST /api/manage-under-attack-mode-all', { action: null }, { action: WRONG }],
  ['POST /api/update-all-domains-tls', {}, { state: REQUIRED }],
  ['POST /api/transfer_explicit', { sourceDomainId: 'x' }, { sourceDomainId: WRONG, targetDomainId: REQUIRED }],
  ['POST /api/trigger_auto_transfer', {}, { project: REQUIRED }],
  ['POST /api/fetch-positions', { keywordId: null }, { projectId: REQUIRED, type: REQUIRED }],
  ['POST /api/keywords', { keyword: 'a' }, { project_id: REQUIRED }],
  [
    'POST /api/check_domains',
    { domains: [{}, { domain: 5 }] },
    { 'domains.0.domain': REQUIRED, 'domains.1.domain': WRONG },
  ],
  ['POST /api/check_domains', [], { body: WRONG }],
])('%s tells what is missing from what is wrong: %j', async (call, body, fields) => {
  expect(await fieldsOf(call, body)).toEqual(fields);
});

test('a list with more entries than its call takes is told how many it may have', async () => {
  const domains = Array.from({ length: 10_001 }, (_, index) => ({ domain: `d${index}.com` }));
  expect(await fieldsOf('POST /api/check_domains', { domains })).toEqual({
    domains: expect.stringMatching(/^Слишком длинный список: не больше 10\s000$/),
  });
});

const ACCOUNT = 'Please select a Cloudflare account.';
const DOMAIN = 'Please enter a domain name.';
const SERVER = 'Please select a server.';

test.each<[object, object]>([
  [{}, { accountId: ACCOUNT, domainName: DOMAIN, ipAddress: SERVER }],
  [
    { accountId: null, domainName: ' ', ipAddress: '' },
    { accountId: ACCOUNT, domainName: DOMAIN, ipAddress: SERVER },
  ],
  [
    { accountId: '', domainName: 'one.com', ipAddress: null },
    { accountId: ACCOUNT, ipAddress: SERVER },
  ],
  [{ accountId: 1, domainName: 'no name', ipAddress: '192.0.2.1' }, { domainName: 'Incorrect URL' }],
])("a change of DNS is refused in the form's own words: %j", async (body, fields) => {
  expect(Object.entries((await fieldsOf('POST /api/manage_dns', body)) as object)).toEqual(Object.entries(fields));
});

test('a template without a name is refused in the words of its form', async () => {
  const form = new FormData();
  form.append('template_file', new Blob(['PK'], { type: 'application/zip' }), 'a.zip');
  const { status, body } = await request(server, 'POST /api/templates', { token: server.admin.token, body: form });
  expect([status, body.fields]).toEqual([400, { name: 'Template name is required' }]);
});

test.each(['POST', 'PUT', 'DELETE'])('a page of the interface takes no %s', async (method) => {
  for (const path of ['/', '/login', '/sites/a.example', '/nothing.js']) {
    const { status, headers, body } = await request(server, `${method} ${path}`);
    expect([path, status, headers['allow'], body.code]).toEqual([path, 405, 'HEAD, GET', 'method_not_allowed']);
  }
});
