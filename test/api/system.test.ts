import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../src/api/index.ts';
import { packageVersion } from '../../src/lib/package.ts';
import { request, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

test('health returns the version while the database answers', async () => {
  const { status, body } = await request(server, 'GET /api/health');
  expect([status, body]).toEqual([200, expect.objectContaining({ status: 'ok', version: packageVersion() })]);
});

test('the contract is OpenAPI 3.1 and contains every route', async () => {
  const { body } = await request(server, 'GET /api/openapi.json');
  expect(body.openapi).toMatch(/^3\.1\.\d+$/);
  expect(body.info).toMatchObject({ title: 'seo-admin', version: packageVersion() });
  const served = routes.map(({ method, path }) => `${method} ${path.replace(/[:*](\w+)/g, '{$1}')}`);
  const written = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(written.toSorted()).toEqual(served.toSorted());
});

test('every call of the contract has a summary, security, parameters, bodies and responses', async () => {
  const { body } = await request(server, 'GET /api/openapi.json');
  for (const { name, method, path, route } of routes) {
    const operation = body.paths[path.replace(/[:*](\w+)/g, '{$1}')][method.toLowerCase()];
    expect(operation.summary).toMatch(/./);
    expect([name, operation.security]).toEqual([name, route.access === 'anyone' ? [] : undefined]);
    const inPath = operation.parameters.filter((parameter: { in: string }) => parameter.in === 'path');
    expect(inPath.map(({ name, required }: { name: string; required: boolean }) => [name, required])).toEqual(
      [...path.matchAll(/[:*](\w+)/g)].map(([, name]) => [name, true]),
    );
    const types = Object.keys(operation.requestBody?.content ?? {});
    const multipart = route.files.length > 0 ? ['multipart/form-data'] : [];
    expect([name, types]).toEqual([name, route.body ? ['application/json', ...multipart] : []]);
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '400', '401', '403', '404']));
  }
  for (const [, reference = ''] of JSON.stringify(body).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const find = (node: Record<string, unknown> | undefined, key: string) => node?.[key] as typeof node;
    expect([reference, reference.split('/').reduce(find, body) !== undefined]).toEqual([reference, true]);
  }
});
