// A server whose every secret field holds a marker, callers who use everything, and all that they are answered.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { routes } from '../../../src/api/index.ts';
import { request, type Answer } from '../../support/server.ts';
import { makeAdminHome, type Home, type Run, type Started } from '../cli.ts';
import { startEcho } from './outside.ts';
import { startReceivers, type Receivers } from './receivers.ts';
import { hex, type Marker, MARKERS } from './secrets.ts';

/** The data directory of the server. */
export let home: Home;
let outside: Awaited<ReturnType<typeof startEcho>>;
/** Those whom notices reach. */
export let receivers: Receivers;
/** The server. */
export let serving: Started;
let url: string;
/** Runs of every command, with their output. */
export const runs: Run[] = [];

/** Starts the server, and the outside service that repeats what it is sent, before the tests of a file. */
export function useServer(): void {
  beforeAll(async () => {
    home = await makeAdminHome();
    outside = await startEcho();
    receivers = await startReceivers();
    mkdirSync(beside(), { recursive: true });
    writeFileSync(join(beside(), 'token'), MARKERS['token of the measures'], { mode: 0o600 });
    serving = home.start(['serve', '--port', '0', '--no-scheduler'], {
      env: { ...environment(), SEO_ADMIN_LOG: 'trace' },
    });
    url = (await serving.says(/listening on (\S+)/))[1] ?? '';
  });
  afterAll(async () => {
    serving.process.kill('SIGKILL');
    outside.server.close();
    await serving.ended;
    await receivers.close();
    home.remove();
  });
}

// The administrator's own file is beside the data directory, and is removed with it.
const beside = (): string => `${home.dir}-measures`;

/** Reads the measures with their token and without, and the probes. */
export async function probe(): Promise<void> {
  const authorization = `Bearer ${MARKERS['token of the measures']}`;
  for (const path of ['/livez', '/readyz', '/metrics'])
    for (const headers of [{}, { authorization }, { authorization: `${authorization}x` }])
      answers.others.push(await request({ url }, `GET ${path}`, { headers }));
}

/** The secrets of the environment, which nothing may repeat, either. */
function environment(): Record<string, string> {
  const { host } = new URL(outside.url);
  return {
    CLOUDFLARE_API_URL: outside.url,
    XMLRIVER_API_URL: `http://${host}`,
    ARSENKIN_API_URL: `http://${host}/arsenkin`,
    BLOCKLIST_URL: `http://me:${MARKERS['password in the address of the list']}@${host}/list?token=${MARKERS['token in the address of the list']}`,
    HTTPS_PROXY: `http://me:${MARKERS['password of a proxy']}@${host}`,
    SEO_ADMIN_BACKUP_PASSPHRASE: MARKERS['passphrase of a backup'],
    SEO_ADMIN_SMTP_URL: `smtp://me:${MARKERS['password of the mail server']}@${receivers.mailHost}`,
    TELEGRAM_BOT_TOKEN: MARKERS['token of the bot'],
    TELEGRAM_API_URL: receivers.telegram.url,
    SEO_ADMIN_MAIL_FROM: 'ops@example.net',
    SEO_ADMIN_METRICS_TOKEN_FILE: join(beside(), 'token'),
  };
}

/** Starts a process that sends notices, until its caller ends it: what it logs is among what is searched then. */
export const startTelling = (): Started =>
  home.start(['worker', '--only', 'notices'], {
    env: { ...environment(), SEO_ADMIN_LOG: 'trace', SEO_ADMIN_ALLOW_PRIVATE_TARGETS: 'on' },
  });

/** Runs a command. */
export async function cli(line: string, input?: string, env: Record<string, string> = {}): Promise<Run> {
  const run = await home.run(line.split(' '), {
    env: { ...environment(), SEO_ADMIN_LOG: 'debug', ...env },
    ...(input === undefined ? {} : { input }),
  });
  runs.push(run);
  return run;
}

/** Removes the cells that may contain a secret: those for the row's creator and administrators. */
export const withoutAllowed = (text: string): string =>
  text.replaceAll(/"(api_key|ssh_password|key|token)":"(?:[^"\\]|\\.)*"/g, '"$1":""');

/** Every answer to callers who may see a secret, and every answer to others. */
export const answers: { may: Answer[]; others: Answer[] } = { may: [], others: [] };

export interface Caller {
  token: string;
  may: boolean;
}

/** Makes a call, and keeps its answer. */
export async function ask(caller: Caller, call: string, body?: unknown): Promise<Answer> {
  const answer = await request({ url }, call, { token: caller.token, ...(body === undefined ? {} : { body }) });
  answers[caller.may ? 'may' : 'others'].push(answer);
  return answer;
}

/** Makes a call whose answer shows a secret once; the answer is not among those that are searched. */
export async function askOnce(token: string, call: string, body: unknown): Promise<Answer> {
  return request({ url }, call, { token, body });
}

/** The address of the outside service, which repeats what it is sent. */
export const outsideUrl = (): string => outside.url;

/** Signs a person in, who may see the secrets or not. */
export async function signIn(login: string, password: string, may: boolean): Promise<Caller> {
  const { body } = await request({ url }, 'POST /api/login', { body: { login, password } });
  return { token: body.token, may };
}

/** Reads the event stream until `work` has ended. */
export async function listening(caller: Caller, work: () => Promise<void>): Promise<void> {
  const control = new AbortController();
  const response = await fetch(`${url}/api/events`, {
    headers: { authorization: caller.token },
    signal: control.signal,
  });
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
  })().catch(() => undefined);
  await work();
  control.abort();
  await reading;
  const answer: Answer = { status: response.status, headers: {}, text, body: null };
  answers[caller.may ? 'may' : 'others'].push(answer);
}

const marker = (field: Marker): string => MARKERS[field];

/** Stores the markers through every door, and returns the ids of an account and a server that hold one. */
export async function plant(owner: Caller, admin: Caller): Promise<{ account: number; server: number }> {
  const account = { name: 'Marked', email: 'ops@example.net', api_key: marker('api_key before an edit') };
  const made = await ask(owner, 'POST /api/cloudflare_accounts', account);
  const id: number = made.body.data.id;
  await ask(owner, `POST /api/cloudflare_accounts/${id}`, { ...account, api_key: marker('api_key by the API') });
  await ask(owner, `POST /api/cloudflare_accounts/${id}`, { ...account, api_key: '********', name: 'Renamed' });
  await ask(owner, 'POST /api/cloudflare_accounts/test', {
    email: 'ops@example.net',
    api_key: marker('api_key that was only tried'),
  });
  const refused = marker('api_key of a refused body');
  await ask(owner, 'POST /api/cloudflare_accounts', { name: '', email: refused, api_key: refused });
  await ask(owner, `POST /api/cloudflare_accounts?api_key=${refused}`, { name: '', api_key: [refused] });

  const ssh = { name: 'S', ssh_host: '203.0.113.10', ssh_user: 'root' };
  const server = await ask(owner, 'POST /api/servers', { ...ssh, ssh_password: marker('ssh_password before an edit') });
  const serverId: number = server.body.data.id;
  await ask(owner, `PUT /api/servers/${serverId}`, { ssh_password: marker('ssh_password by the API') });
  await ask(owner, `PUT /api/servers/${serverId}`, { name: 'T', ssh_password: '********' });
  // A server answers there, but it is not SSH.
  const there = { ssh_host: `127.0.0.1:${new URL(url).port}`, ssh_password: marker('ssh_password by the API') };
  await ask(owner, `PUT /api/servers/${serverId}`, there);
  await ask(owner, `POST /api/servers/${serverId}/test`, {});
  const wrong = marker('ssh_password of a refused body');
  await ask(owner, 'POST /api/servers', { ...ssh, ssh_host: 'a b', ssh_password: wrong, extra: wrong });
  await ask(owner, 'POST /api/servers', Buffer.from(`{"ssh_password":"${marker('ssh_password of broken JSON')}",}`));

  await ask(admin, 'POST /api/users', { login: 'marked', password: marker('password of a user') });
  await request({ url }, 'POST /api/login', {
    body: { login: 'marked', password: marker('password of a failed sign-in') },
  });

  await cli('cloudflare add CLI --key-stdin', marker('api_key by the command line'));
  await cli('cloudflare edit CLI --name CLI-2');
  await cli(
    'server add CLI --host 203.0.113.11 --user root --password-stdin',
    marker('ssh_password by the command line'),
  );
  await cli('server add Bad --host ??? --user root --password-stdin', marker('ssh_password of a refused body'));
  return { account: id, server: serverId };
}

/** Reading calls without an object, those of notices, log and settings with them; `listening` reads the stream of events. */
const READS = routes
  .map(({ name }) => name)
  .filter((name) => name.startsWith('GET ') && !/[:*]/.test(name) && name !== 'GET /api/events');

/** Uses everything that uses secrets, against an outside service that repeats them. */
export async function use(caller: Caller, { account, server }: { account: number; server: number }): Promise<void> {
  const name = `use-${hex(8)}.example`;
  const references = { cloudflare_account_id: account, server_id: server };
  const domain = await ask(caller, 'POST /api/domains', { domain_name: name, ...references });
  const id: number = domain.body.data.id;
  for (let round = 0; round < 3; round += 1) {
    await ask(caller, `POST /api/cloudflare_accounts/${account}/test`, {});
    await ask(caller, `GET /api/domain_dns/${id}`);
    await ask(caller, `GET /api/domain_page_rules/${id}`);
    await ask(caller, 'POST /api/manage_dns/plan', {
      accountId: account,
      domainName: name,
      ipAddress: '203.0.113.10',
      tls: 'off',
      updateNs: 'off',
    });
  }
  await ask(caller, 'POST /api/manage_dns', {
    accountId: account,
    domainName: name,
    ipAddress: '203.0.113.10',
    tls: 'off',
    updateNs: 'off',
  });
  await ask(caller, 'POST /api/update-all-domains-tls', { state: 'off' });
  await ask(caller, 'POST /api/manage-under-attack-mode-all', { action: 'enable' });
  await ask(caller, `DELETE /api/cloudflare_accounts/${account}`);
  await ask(caller, `DELETE /api/servers/${server}`);
}

/** Reads all lists and operations. */
export async function readAll(caller: Caller): Promise<void> {
  for (const name of READS) await ask(caller, name);
  for (const table of ['cloudflare_accounts', 'servers', 'xmlriver_accounts', 'arsenkin_accounts', 'users'])
    await ask(caller, `GET /api/tables/${table}`);

  const { body } = await ask(caller, 'GET /api/operations');
  for (const { id } of body.data ?? body) {
    await ask(caller, `GET /api/operations/${id}`);
    await ask(caller, `GET /api/operations/${id}/items`);
  }
}
