// Shared parts of the tests of attached names: two users, a CDN, and what each may do.
import { afterEach, beforeEach, expect } from 'vitest';
import { startSites, type Sites } from '../../../src/demo/sites.ts';
import { setGate } from '../../../src/services/transfers/gate.ts';
import { pointingAt, startCdn, type Cdn } from '../../support/cdn.ts';
import { QUICK_GATE } from '../../support/quick-gate.ts';
import { createPerson, request, type Answer, type Person } from '../../support/server.ts';

export let cdn: Cdn;
/** Who has attached names, and another user. */
export let owner: Person;
export let other: Person;
let sites: Sites;
let projects = 0;

/** Starts all of that before each test of a file, and stops it after. */
export function useAttached(): void {
  beforeEach(async () => {
    setGate(QUICK_GATE);
    sites = await startSites({});
    cdn = await startCdn({}, 1, { allowPrivate: true, connectTo: `::127.0.0.1:${sites.port}`, ca: sites.ca });
    [owner, other] = [await createPerson(cdn.server), await createPerson(cdn.server)];
  });
  afterEach(async () => {
    await cdn.close();
    await sites.close();
  });
}

/** Makes a call in the name of a person. */
export const as = ({ token }: Person, name: string, body?: unknown): Promise<Answer> =>
  request(cdn.server, name, { token, ...(body !== undefined && { body }) });

/** Adds a name with a zone and a site, and returns its id. */
export async function add(person: Person, domain_name: string, more: object = {}): Promise<number> {
  const input = { domain_name, cloudflare_account_id: cdn.accounts[0], ...more };
  const { status, body } = await as(person, 'POST /api/domains', input);
  expect([domain_name, status]).toEqual([domain_name, 200]);
  return body.data.id;
}

/** Makes an active zone that visitors reach through the CDN. */
export function addZone(name: string): void {
  for (const record of cdn.addZone(name, ['A @ 198.51.100.1']).records) record.proxied = true;
  sites.secured.add(name);
}

/** Starts an operation in the name of a person and waits for it; returns its number. */
export async function done(person: Person, call: string, body: object): Promise<number> {
  const { status, body: answer } = await as(person, call, body);
  expect([call, status]).toEqual([call, 200]);
  expect(await cdn.ended(answer.operation.id)).toMatchObject({ state: 'succeeded' });
  return answer.operation.id;
}

/** Attaches names to a main domain in the name of a person; returns the operation. */
export const attach = (person: Person, main = 'main.com', names = ['old.com']): Promise<number> =>
  done(person, 'POST /api/manage_dns', pointingAt(cdn, main, { pageRules: names }));
/** Takes a domain out of the portfolio. */
export const take = async (person: Person, id: number): Promise<void> =>
  expect((await as(person, `DELETE /api/domains/${id}`)).status).toBe(200);
/** Brings it back. */
export const restore = async (person: Person, id: number): Promise<void> =>
  expect((await as(person, `POST /api/domains/${id}/restore`, {})).status).toBe(200);
/** The answers to a look at the records of the zone that a domain is in, and to one at its rules, which only who holds the whole zone may take. */
export const looks = async (person: Person, id: number): Promise<number[]> => [
  (await as(person, `GET /api/domain_dns/${id}`)).status,
  (await as(person, `GET /api/domain_page_rules/${id}`)).status,
];
/** Whether a person may point a name at a server. */
export const points = async (person: Person, name = 'old.com'): Promise<number> =>
  (await as(person, 'POST /api/manage_dns/plan', pointingAt(cdn, name))).status;
/** Of `looks`: the whole zone is theirs. */
export const HELD = [200, 200];
/** Of `looks`: it does not exist for them. */
export const NOT_THERE = [404, 404];

/** Adds a project and returns its id. */
export const addProject = async (person: Person): Promise<number> =>
  (await as(person, 'POST /api/projects', { name: `Project ${projects++}` })).body.data.id;
/** Gives a domain to another user, by a project of theirs. */
export async function handOver(id: number, to = other): Promise<void> {
  const project_id = await addProject(to);
  expect((await cdn.call(`POST /api/domains/${id}`, { project_id })).status).toBe(200);
}
/** Gives a domain of the owner’s another name. */
export const rename = async (id: number, domain_name: string): Promise<void> =>
  expect((await as(owner, `POST /api/domains/${id}`, { domain_name })).status).toBe(200);
/** Deletes the only rule of the zone that a domain is in, and returns the operation that did. */
export async function deleteRule(person: Person, id: number): Promise<number> {
  const rule = cdn.zone('old.com').page_rules[0]?.id;
  const { status, body } = await as(person, `DELETE /api/domain_page_rules/${id}/${rule}`);
  expect(status).toBe(200);
  return body.operation.id;
}
