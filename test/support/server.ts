import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute, transaction } from '../../db/index.ts';
import { loadConfig, useConfig, type Config } from '../../src/lib/config.ts';
import { deriveKey, readKey } from '../../src/lib/key.ts';
import { createLog } from '../../src/lib/log.ts';
import { hashToken, randomToken, SESSION_SECONDS, signToken } from '../../src/lib/token.ts';
import { serve } from '../../src/server.ts';
import { noteSignIn } from '../../src/services/access/sign-in-networks.ts';
import { networkOf } from '../../src/services/access/throttle.ts';
import { insertUser } from '../../src/services/access/users.ts';
import type { Role } from '../../src/shared/access/users.ts';
import { REGISTRAR_TYPES } from '../../src/shared/accounts/registrar-types.ts';
import { MIGRATED } from './vitest/migrated-file.ts';
import { copyOfTemplate, dropDatabase } from './postgres/template.ts';

export const PASSWORD = 'correct horse battery';

// The hash of PASSWORD with a cost of 4 ms instead of 170: with it people sign in as usual. Passwords that a test sets, and
// logins that nobody has, take the product's cost.
const HASH = '$scrypt$n=1024,r=8,p=1$4pnErvup9N6uGOuD9uwkMA==$VQ4EPuCJaSUNDnegMa6g1e26vkBkP+PhlqT/aTJRqKU=';

const LOOPBACK = '127.0.0.1';

/** A user with the password PASSWORD and an open session. */
export interface Person {
  id: number;
  login: string;
  role: Role;
  token: string;
}

export interface BareServer {
  url: string;
  port: number;
  config: Config;
  /** Stops the server and leaves its installation; the result starts it again at the same address. */
  pause(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface TestServer extends BareServer {
  admin: Person;
}

/** The contents of a request. `body` is sent as JSON unless it is a Buffer or a form; `from` is the caller's address. */
export interface Ask {
  token?: string;
  body?: unknown;
  headers?: OutgoingHttpHeaders;
  from?: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The JSON of `text`; null if it is not JSON. */
  body: any; // oxlint-disable-line typescript/no-explicit-any -- an answer of any call
}

/** The address of an outside service that nobody answers. */
const NOBODY = 'http://127.0.0.1:9';
const NO_PACE = { calls: 10_000, seconds: 1, atOnce: 20 };
/** Registries that nobody answers for, at once. */
export const NO_REGISTRY = { rdapUrl: NOBODY, whoisServer: '127.0.0.1:9', pace: { rdap: NO_PACE, whois: NO_PACE } };
const NOBODYS = Object.fromEntries(REGISTRAR_TYPES.map((type) => [type, NOBODY]));

/** Returns the configuration of a new data directory, without anything from the environment, and makes it that of the process. */
export function temporaryConfig(
  settings: Partial<Config> = {},
  dataDir = mkdtempSync(join(tmpdir(), 'seo-admin-test-')),
): Config {
  const config = {
    ...loadConfig({ dataDir }, {}),
    logLevel: 'silent',
    cloudflareUrl: NOBODY,
    registrarUrls: NOBODYS,
    registrarPace: NO_PACE,
    registry: NO_REGISTRY,
    searchUrls: { xmlriver: NOBODY, arsenkin: NOBODY },
    searchPace: NO_PACE,
    ...settings,
  };
  useConfig(config);
  return config;
}

/**
 * As `temporaryConfig`, with a migrated database of its own: on PostgreSQL child processes find its address in the data
 * directory. A SQLite file is left to whoever opens it where none was migrated before the tests. Ends with `removeInstallation`.
 */
export async function newInstallation(
  settings: Partial<Config> = {},
  dataDir = mkdtempSync(join(tmpdir(), 'seo-admin-test-')),
): Promise<Config> {
  const server = process.env['TEST_POSTGRES'];
  if (server) {
    const content = { DATABASE_URL: await copyOfTemplate(server) };
    writeFileSync(join(dataDir, 'seo-admin.config.json'), JSON.stringify(content), { mode: 0o600 });
  }
  const config = temporaryConfig(settings, dataDir);
  const migrated = process.env[MIGRATED];
  if (config.databaseUrl === undefined && migrated !== undefined && !existsSync(config.databaseFile)) {
    writeFileSync(config.databaseFile, readFileSync(migrated), { mode: 0o600 });
  }
  return config;
}

/** Deletes the database, which must be closed, and the data directory. */
export async function removeInstallation({ dataDir, databaseUrl = '' }: Config): Promise<void> {
  await dropDatabase(databaseUrl);
  rmSync(dataDir, { recursive: true, force: true });
}

/** Starts the real server on a loopback port, with its own database. Nobody can sign in yet. */
export async function startBareServer(settings: Partial<Config> = {}, host = LOOPBACK): Promise<BareServer> {
  const config = await newInstallation(settings);
  const start = (port: number) => serve({ config, log: createLog('silent'), host, port, scheduler: false });
  let serving = await start(0);
  const port = Number(new URL(serving.url).port);
  return {
    url: serving.url,
    port,
    config,
    pause: async () => {
      await serving.close();
      return async () => {
        serving = await start(port);
      };
    },
    close: async () => {
      await serving.close();
      await removeInstallation(config);
    },
  };
}

/** Starts the server with its first administrator signed in. */
export async function startServer(settings: Partial<Config> = {}, host?: string): Promise<TestServer> {
  const server = await startBareServer(settings, host);
  return { ...server, admin: await addPerson(server, 'admin', 'admin') };
}

/** Stores a user with an open session, below the API: a password would be hashed there, and verified again. */
async function addPerson({ config }: Pick<BareServer, 'config'>, login: string, role: Role): Promise<Person> {
  const key = deriveKey(readKey(config.keyFile), 'session tokens');
  const sid = randomToken();
  const id = await transaction(async () => {
    const user = await insertUser({ login, role }, HASH);
    await execute(
      `INSERT INTO sessions (user_id, sid_hash, address, created_at, last_seen_at, expires_at)
       VALUES ($user, $sid, $address, $now, $now, $expires)`,
      {
        user,
        sid: hashToken(sid),
        address: LOOPBACK,
        now: new Date().toISOString(),
        expires: new Date(Date.now() + SESSION_SECONDS * 1000).toISOString(),
      },
    );
    await noteSignIn({ id: user, login }, networkOf(LOOPBACK));
    return user;
  });
  return { id, login, role, token: signToken(key, { id, login, role, telegram: null }, sid) };
}

/** Signs in and returns the token. */
export async function signIn(server: Pick<TestServer, 'url'>, login: string): Promise<string> {
  const { body } = await request(server, 'POST /api/login', { body: { login, password: PASSWORD } });
  return body.token;
}

/** Adds a signed-in user. */
export const createPerson = (server: Pick<BareServer, 'config'>, role: Role = 'user'): Promise<Person> =>
  addPerson(server, `${role}-${randomUUID().slice(0, 8)}`, role);

/** Makes any call: `request(server, 'GET /api/domains', { token })`. The path is sent unchanged. */
export async function request(server: Pick<TestServer, 'url'>, call: string, ask: Ask = {}): Promise<Answer> {
  const { token, body, headers = {}, from } = ask;
  const [method, path] = call.split(/ (.*)/s);
  const { type, bytes } = await encode(body);
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      method,
      path,
      hostname,
      port,
      localAddress: from,
      headers: {
        ...(token === undefined ? {} : { authorization: token }),
        ...(bytes === undefined ? {} : { 'content-type': type, 'content-length': bytes.length }),
        ...headers,
      },
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection at the moment of its reuse: the call has not arrived.
      const isLateReuse = outgoing.reusedSocket && error.code === 'ECONNRESET';
      if (isLateReuse) resolve(request(server, call, ask));
      else reject(error);
    });
    outgoing.on('response', (response) => {
      // An event stream has no end: its head is the response. `test/support/events.ts` reads on.
      if (response.headers['content-type'] === 'text/event-stream') {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '', body: null });
        response.destroy();
        return;
      }
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parse(text) });
      });
    });
    outgoing.end(bytes);
  });
}

async function encode(body: unknown): Promise<{ type: string; bytes?: Buffer }> {
  if (body === undefined) return { type: '' };
  if (body instanceof FormData) {
    const response = new Response(body);
    return {
      type: response.headers.get('content-type') ?? '',
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  }
  return { type: 'application/json', bytes: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A multipart form; a File among the fields is sent as one. */
export function form(fields: Record<string, string | File>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}
