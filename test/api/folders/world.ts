// Shared parts of the tests of folders: a server, and two users who want the same folder.
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect } from 'vitest';
import { createPerson, form, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { findSshd, startSshd, type Sshd } from '../../support/sshd.ts';
import { zipFile } from '../../support/zips.ts';
import { newName, settled } from '../calls.ts';

/** The OpenSSH of this machine. */
export const found = findSshd();
if ('missing' in found) console.log(`Skipped: folders on a real server: ${found.missing}`);

let server: TestServer;
/** The user whose folder it is. */
export let victim: Person;
/** The user who wants it. */
export let attacker: Person;
/** A template. */
export let template: number;

/** Starts the server before the tests of a file; `host.example.com` is this machine. */
export function useFolders(): void {
  beforeAll(async () => {
    server = await startServer({ connectTo: 'host.example.com::127.0.0.1:' });
    victim = await createPerson(server);
    attacker = await createPerson(server);
    const body = form({ name: newName(), template_file: zipFile() });
    template = (await ask(victim, 'POST /api/templates', body)).body.data.id;
  });
  afterAll(() => server.close());
}

/** Makes a call as a user. */
export const ask = (person: Person, call: string, body?: unknown) =>
  request(server, call, { token: person.token, ...(body !== undefined && { body }) });

/** Adds a domain with a folder on a server. */
export const add = (person: Person, server_id: number | null, file_path: string, domain_name = newName()) =>
  ask(person, 'POST /api/domains', { domain_name, server_id, file_path });

/** Adds a server, and returns its id. */
export async function addServer(person: Person, fields: object): Promise<number> {
  const body = { name: newName(), ssh_host: '203.0.113.77', ssh_user: 'root', ssh_password: 'ssh secret', ...fields };
  return (await ask(person, 'POST /api/servers', body)).body.data.id;
}

/** Starts an OpenSSH with a row of each user for it, by its address and by its name, and an empty `/srv`. */
export async function startHost(): Promise<{ sshd: Sshd; mine: number; theirs: number }> {
  const sshd = await startSshd({ quiet: true });
  const { user: ssh_user, secret: ssh_password } = sshd.login;
  const mine = await addServer(victim, { ssh_host: `127.0.0.1:${sshd.port}`, ssh_user, ssh_password });
  const theirs = await addServer(attacker, { ssh_host: `host.example.com:${sshd.port}`, ssh_user, ssh_password });
  mkdirSync(sshd.local('/srv'), { recursive: true });
  return { sshd, mine, theirs };
}

const html = () => new File(['<title>x</title><body>x</body>'], 'page.html', { type: 'text/html' });
/** Gives a domain a site, deploys it, and returns the end state and the error. */
export async function deploy(person: Person, id: number) {
  const body = form({ template_id: String(template), html_file: html(), deploy: 'off' });
  expect((await ask(person, `POST /api/domains/${id}`, body)).status).toBe(200);
  const { status, body: answer } = await ask(person, `POST /api/domains/${id}/deploy`, {});
  if (status !== 200) return { state: 'refused', said: answer.error as string };
  await settled();
  const { state } = (await ask(person, `GET /api/operations/${answer.operation.id}`)).body;
  const { data } = (await ask(person, `GET /api/operations/${answer.operation.id}/items`)).body;
  return { state: state as string, said: data[0].error as string };
}
