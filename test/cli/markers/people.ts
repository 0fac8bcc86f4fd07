// Secrets that the server makes up for a person and shows once, and the address that jobs call: planted and used.
import { Secret, TOTP } from 'otpauth';
import { PASSWORD } from '../cli.ts';
import { ask, askOnce, cli, outsideUrl, type Caller } from './callers.ts';
import { addMarker, MARKERS } from './secrets.ts';

/** Adds a code as it is shown, and without what only makes it easier to read. */
function addCode(field: string, code: string): void {
  addMarker(field, code);
  addMarker(`${field}, as it is compared`, code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
}

/** Makes an app, recovery codes and a token for a user of their own, and uses each well and badly; returns how the uses were answered. */
export async function usePeople(admin: Caller): Promise<number[]> {
  await ask(admin, 'POST /api/users', { login: 'factored', password: PASSWORD });
  const first = { login: 'factored', password: PASSWORD };
  const { token } = (await askOnce('', 'POST /api/login', first)).body;
  const person: Caller = { token, may: false };

  const { secret } = (await askOnce(token, 'POST /api/second_factor/totp', { password: PASSWORD })).body;
  addMarker('secret of an app', secret);
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  addMarker('secret of an app, its bytes', app.secret.hex.toLowerCase());
  await ask(person, 'POST /api/second_factor/totp/confirm', { code: secret });
  const confirmed = await askOnce(token, 'POST /api/second_factor/totp/confirm', { code: app.generate() });
  const codes: string[] = confirmed.body.recovery_codes;
  for (const [index, code] of codes.entries()) addCode(`recovery code ${index + 1}`, code);

  const { challenge } = (await ask(person, 'POST /api/login', first)).body;
  const statuses = [(await ask(person, 'POST /api/login', { challenge, code: secret })).status];
  const done = await askOnce('', 'POST /api/login', { challenge, code: codes[0] });
  const again = (await ask(person, 'POST /api/login', first)).body.challenge;
  statuses.push(done.status, (await ask(person, 'POST /api/login', { challenge: again, code: codes[0] })).status);
  await ask(person, 'POST /api/second_factor/totp', { password: PASSWORD, code: codes[1] });

  const made = (await askOnce(token, 'POST /api/tokens', { name: 'nightly', scope: 'read', days: 30 })).body;
  addMarker('API token', made.token);
  const caller: Caller = { token: made.token, may: false };
  for (const call of ['GET /api/session', 'GET /api/domains', 'GET /api/tokens', 'POST /api/projects']) {
    statuses.push((await ask(caller, call, call.startsWith('POST') ? { name: made.token } : undefined)).status);
  }
  await ask(person, 'GET /api/tokens');
  await ask(person, 'GET /api/second_factor');
  await ask(person, `DELETE /api/tokens/${made.data.id}`);
  statuses.push((await ask(caller, 'GET /api/session')).status);
  return statuses;
}

/** Stores an address for a job to call, whose path and query are secret, and has it called. */
export async function useHeartbeat(admin: Caller): Promise<void> {
  const address = `${outsideUrl()}/${MARKERS['path of a heartbeat']}?token=${MARKERS['token of a heartbeat']}`;
  for (const name of ['heartbeat', 'purge']) await ask(admin, `PUT /api/schedules/${name}`, { heartbeat: address });
  const refused = `ftp://example.com/${MARKERS['heartbeat of a refused body']}`;
  await ask(admin, 'PUT /api/schedules/purge', { heartbeat: refused });
  await cli('schedule set purge --heartbeat-file /dev/stdin', refused);
  for (const name of ['heartbeat', 'purge']) {
    await cli(`schedule run ${name}`, undefined, { SEO_ADMIN_ALLOW_PRIVATE_TARGETS: 'on' });
  }
  await cli('schedule list --json');
  await ask(admin, 'POST /api/schedules/purge/run', {});
  await ask(admin, 'GET /api/schedules');
}
