// Shared parts of the tests of keywords, positions and their accounts: the search services in small, and two users.
import { afterAll, beforeAll } from 'vitest';
import { startArsenkin, type ArsenkinFake } from '../../../src/demo/search/arsenkin.ts';
import type { Web } from '../../../src/demo/search/web.ts';
import { startXmlriver, type XmlriverFake } from '../../../src/demo/search/xmlriver.ts';
import { createPerson, request, startServer, type Answer, type Person, type TestServer } from '../../support/server.ts';
import { newName } from '../calls.ts';

export const KEY = '0123456789abcdef0123456789abcdef01234567';
export const TOKEN = 'arsenkin-token-0123456789';
export const MASK = '********';

export let server: TestServer;
export let river: XmlriverFake;
export let arsenkin: ArsenkinFake;
/** A user. */
export let owner: Person;
/** Another user. */
export let other: Person;
export const web: Web = { topics: {}, hosts: {} };

/** Starts the services and the server before the tests of a file. Each answer of XMLRiver takes so long. */
export function useSearch(latencyMs = 0): void {
  beforeAll(async () => {
    river = await startXmlriver({ accounts: [{ login: '12345', key: KEY, balance: 1_000_000 }], web }, { latencyMs });
    arsenkin = await startArsenkin({ tokens: { [TOKEN]: 500 }, web });
    server = await startServer({ searchUrls: { xmlriver: river.url, arsenkin: arsenkin.url } });
    [owner, other] = [await createPerson(server), await createPerson(server)];
  });
  afterAll(async () => {
    await server.close();
    await Promise.all([river.close(), arsenkin.close()]);
  });
}

/** Makes a call as a user; its messages are in English. */
export const ask = (call: string, body?: unknown, { token }: Person = owner): Promise<Answer> =>
  request(server, call, { token, headers: { 'accept-language': 'en' }, ...(body === undefined ? {} : { body }) });

/** Makes something, and returns what the call answers with. */
// oxlint-disable-next-line typescript/no-explicit-any -- an answer of any call
export async function make(path: string, body: object, person: Person = owner): Promise<any> {
  const answer = await ask(`POST /api/${path}`, body, person);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data ?? answer.body;
}

export const makeProject = async (person: Person = owner): Promise<number> =>
  (await make('projects', { name: newName() }, person)).id;

/** The status of an answer, its code, and the names of the fields that it complains about. */
export const refusalOf = ({ status, body }: Answer): unknown[] => [status, body.code, Object.keys(body.fields ?? {})];
