// A project with keywords, an XMLRiver account, and the demo's fake of the service.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { select } from '../../../db/index.ts';
import { startXmlriver, type XmlriverFake } from '../../../src/demo/search/xmlriver.ts';
import { resultsAt, type Web } from '../../../src/demo/search/web.ts';
import { registerFlows, runOperation } from '../../../src/operations/engine.ts';
import { requeue } from '../../../src/operations/queue.ts';
import type { Actor } from '../../../src/services/access/scope.ts';
import { createAccount } from '../../../src/services/accounts/accounts.ts';
import { createDomain } from '../../../src/services/portfolio/domains.ts';
import { createProject } from '../../../src/services/portfolio/projects.ts';
import { fetchFlow, startFetch } from '../../../src/services/positions/fetch.ts';
import { addKeywords } from '../../../src/services/positions/keywords.ts';
import { storeSettings } from '../../../src/services/positions/settings.ts';
import { xmlriverKind } from '../../../src/shared/accounts/xmlriver.ts';
import type { Engine } from '../../../src/shared/engines.ts';
import { dayOf, placesIn } from '../../../src/shared/positions/places.ts';
import { defaultSettings, type PositionSettings } from '../../../src/shared/positions/settings.ts';
import { DomainInput } from '../../../src/shared/portfolio/domains.ts';
import { addUser, startDatabase, type TestDatabase } from '../../support/database.ts';
import { temporaryConfig } from '../../support/server.ts';

export const KEY = '0123456789abcdef0123456789abcdef01234567';
export const LOGIN = '12345';

export let ann: Actor;
export let bob: Actor;
export let fake: XmlriverFake;
export let database: TestDatabase;

export const web: Web = { topics: {}, hosts: {} };

/** Starts the fake before the tests of a file, and opens a new database with two users before each. */
export function usePositions(): void {
  beforeAll(async () => {
    fake = await startXmlriver({ accounts: [], web }, { now: () => Date.now() });
  });
  afterAll(() => fake.close());
  beforeEach(async () => {
    fake.state.accounts = [{ login: LOGIN, key: KEY, balance: 1_000_000 }];
    fake.faults.length = 0;
    fake.charged.length = 0;
    fake.calls.all = 0;
    fake.hold = undefined;
    web.topics = {};
    web.hosts = {};
    database = await startDatabase();
    const searchPace = { calls: 10_000, seconds: 1, atOnce: 10 };
    temporaryConfig({ searchUrls: { xmlriver: fake.url }, searchPace }, database.folder);
    registerFlows([fetchFlow]);
    [ann, bob] = [await addUser('ann'), await addUser('bob')];
  });
  afterEach(() => database.close());
}

/** A project that was made for a test. */
export interface TestProject {
  id: number;
  domains: Record<string, number>;
}

/** Adds an account of the fake's login. */
export const addAccount = (name = 'river', login = LOGIN): Promise<{ id: number }> =>
  createAccount(ann, xmlriverKind, { name, login, key: KEY }, 'clear');

/** Makes a project of ann's with keywords and domains; the first domain is its main, the others are reserves. All of them compete. */
export async function makeProject(keywords: readonly string[], names: readonly string[]): Promise<TestProject> {
  const { id } = await createProject(ann, { name: 'shop' });
  const domains: Record<string, number> = {};
  for (const [index, domain_name] of names.entries()) {
    const type = index === 0 ? 'main' : 'transfer';
    const made = await createDomain(ann, DomainInput.parse({ domain_name, project_id: id, type }));
    domains[domain_name] = made.id;
    web.hosts[domain_name] = { topic: 'shop', from: null, until: null };
  }
  await addKeywords(ann, id, keywords);
  for (const keyword of keywords) web.topics[keyword] = 'shop';
  return { id, domains };
}

/** Reads positions to the end of the operation, and returns it. */
export async function fetchPositions(projectId: number, type: Engine = 'yandex', keywordId: number | null = null) {
  const { id } = await startFetch(ann, { projectId, keywordId, type }, true);
  return runOperation(id);
}

/** Returns the place of a host for a keyword today, among fifty; 0: none. */
export function placeOf(keyword: string, host: string, engine: Engine = 'yandex'): number {
  const region = engine === 'yandex' ? '213' : '2643';
  const urls = resultsAt(web, { engine, keyword, region, device: 'desktop' }, dayOf(Date.now())).slice(0, 50);
  return placesIn(urls, [{ id: 1, domain_name: host }])[0]?.place ?? 0;
}

/** Returns the pages that were paid, by the fake. */
export const paid = (): string[] => fake.charged.map(({ query, page }) => `${query}/${page}`);

/** Tries an ended operation again, to its end. */
export async function tryAgain(id: number) {
  await requeue(id, true);
  return runOperation(id);
}

/** Stores settings of a project in place of its defaults. */
export const changeSettings = (projectId: number, settings: Partial<PositionSettings>) => {
  const { project_id: _, ...usual } = defaultSettings(projectId);
  return storeSettings(ann, projectId, { ...usual, depth: 50, every_days: 0, ...settings });
};

/** Returns a query's result. */
export const one = async <T>(sql: string): Promise<T | undefined> => (await select<T & object>(sql))[0];
