// Shared parts of the tests of templates: a server and two users.
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import {
  createPerson,
  form,
  request,
  startServer,
  type Answer,
  type Person,
  type TestServer,
} from '../../support/server.ts';
import { SITE, zipFile, zipOf } from '../../support/zips.ts';
import { newName } from '../calls.ts';

/** The server of the test file. */
export let server: TestServer;
/** A user. */
export let owner: Person;
/** Another user. */
export let other: Person;

/** Starts the server before the tests of a file, and gives the clock back after each. */
export function useTemplates(): void {
  beforeAll(async () => {
    server = await startServer();
    [owner, other] = [await createPerson(server), await createPerson(server)];
  });
  afterAll(() => server.close());
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** The fields of a form. */
export type Fields = Parameters<typeof form>[0];

/** Sends a form as a user. */
export const send = (call: string, fields: Fields, { token }: Person = owner): Promise<Answer> =>
  request(server, call, { token, body: form(fields) });
/** Reads a path as a user. */
export const get = (path: string, { token }: Person = owner): Promise<Answer> =>
  request(server, `GET ${path}`, { token });

// oxlint-disable-next-line typescript/no-explicit-any -- an answer of any call
export async function add(name = newName(), bytes = zipOf(SITE), person = owner): Promise<any> {
  const { body } = await send('POST /api/templates', { name, template_file: zipFile(bytes) }, person);
  return body.data;
}

/** The row of a template as a user sees it. */
export const rowOf = async (id: number, person = owner) =>
  (await get('/api/templates', person)).body.data.find((row: { id: number }) => row.id === id);
