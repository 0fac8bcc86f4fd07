// Shared parts of the tests of domains and projects: a server and two users.
import { afterAll, afterEach, beforeAll } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { newName } from '../calls.ts';

// The names of product.md, section 3.
/** The fields of a domain. */
export const DOMAIN_FIELDS =
  'id domain_name file_path type transfer_type server_id server_name server_ip cloudflare_account_id ' +
  'cloudflare_account_name registrars_id project_id project_name user_login template_id status http_status_code ' +
  'last_http_check_at google_indexation yandex_indexation last_check_indexation transfer_dns created_at expired_at registrar_type';
/** The fields of a domain in the list `user_domains`. */
export const USER_DOMAIN_FIELDS =
  'id domain_name project_name transfer_type type status http_status_code last_http_check_at created_at expired_at registrar_type';

/** The server of the test file. */
export let server: TestServer;
/** A user. */
export let owner: Person;
/** Another user. */
export let other: Person;

/** Starts the server before the tests of a file, and deletes all domains and projects after each. */
export function useDomains(): void {
  beforeAll(async () => {
    server = await startServer();
    owner = await createPerson(server);
    other = await createPerson(server);
  });
  afterEach(() =>
    transaction(async () => {
      await execute('DELETE FROM domains');
      await execute('DELETE FROM projects');
    }),
  );
  afterAll(() => server.close());
}

/** Makes a call as a user. */
export const ask = (call: string, body?: unknown, person = owner) =>
  request(server, call, { token: person.token, body });
/** Adds a domain with these fields. */
export const create = async (fields: object = {}) =>
  (await ask('POST /api/domains', { domain_name: newName(), ...fields })).body.data;
/** Makes a project, and returns its id. */
export const project = async (name: string): Promise<number> =>
  (await ask('POST /api/projects', { name })).body.data.id;
/** The names in a list of domains. */
export const names = (answer: { body: { data: { domain_name: string }[] } }) =>
  answer.body.data.map(({ domain_name }) => domain_name);

/** Writes the fields that a check would have written. */
export async function observe(id: number, fields: Record<string, string | number | null>): Promise<void> {
  const sets = Object.keys(fields).map((field) => `${field} = $${field}`);
  await transaction(() => execute(`UPDATE domains SET ${sets.join(', ')} WHERE id = $id`, { ...fields, id }));
}
