// The server of a test of the table editor, and its rows as the API has them.
import { afterAll, beforeAll } from 'vitest';
import { request, startServer, type TestServer } from '../../support/server.ts';

/** A row of a table. */
export type Row = Record<string, unknown> & { id: number };

/** The server of the test file. */
export let server: TestServer;
/** The session of its administrator. */
export let token: string;

/** Called at the head of a test file: starts the server before its tests. */
export function startTables(): void {
  beforeAll(async () => {
    server = await startServer();
    token = server.admin.token;
  });
  afterAll(() => server.close());
}

/** Stores a row through the API and returns it. */
export const post = async (table: string, body: object): Promise<Row> =>
  (await request(server, `POST /api/tables/${table}`, { token, body })).body;

/** Returns a row as it is stored; undefined: there is none. */
export const stored = async (table: string, id: number): Promise<Row | undefined> =>
  (await request(server, `GET /api/tables/${table}?limit=1&id=${id}`, { token })).body.data[0];
