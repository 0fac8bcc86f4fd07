import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, startServer, type Person, type TestServer } from '../support/server.ts';
import { faultsOf, inLooks } from './support/audit.ts';
import { usePages } from './support/page.ts';
import { EMPTY, SCREENS, seedScreens } from './support/screens.ts';

const open = usePages();
let server: TestServer;
let newcomer: Person;
beforeAll(async () => {
  server = await startServer();
  await seedScreens(server);
  newcomer = await createPerson(server);
});
afterAll(() => server.close());

const ofAdmin = SCREENS.map((path) => ({ path, name: path, token: () => server.admin.token }));
const ofNewcomer = EMPTY.map((path) => ({ path, name: `${path} without data`, token: () => newcomer.token }));
const signedOut = { path: '/login', name: '/login', token: () => undefined };

it.each(inLooks([...ofAdmin, ...ofNewcomer, signedOut], ({ name }) => name))(
  '%s has no faults',
  async (_title, look, { path, token }) => {
    const signedIn = token();
    const page = await open(server.url + path, { ...look, ...(signedIn !== undefined && { token: signedIn }) });
    expect(await faultsOf(page, look.widths)).toEqual([]);
  },
);
