import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { hold } from '../../src/demo/cloudflare/faults.ts';
import { cloudflare } from '../../src/providers/cloudflare.ts';
import { ACCOUNT, failure, LOGIN, STRANGER, success, useCloudflare } from './cloudflare-world.ts';

const world = useCloudflare();
const refusal = (code: number, message: string, error_chain?: { code: number; message: string }[]) => ({
  success: false,
  errors: [{ code, message, error_chain }],
  messages: [],
  result: null,
});

describe('an answer', () => {
  test.for([
    [403, refusal(1105, 'You attempted to add this domain too many times'), 'refused', 1105],
    [400, refusal(7003, 'Could not route'), 'refused', 7003],
    [400, refusal(81_058, 'An identical record already exists.'), 'refused', 81_058],
    [409, refusal(1234, 'Something new'), 'refused', 1234],
    [200, refusal(1004, 'DNS Validation Error'), 'refused', 1004],
    [200, { success: false, errors: [], result: null }, 'refused', undefined],
    [500, refusal(1, 'Internal'), 'unavailable', 1],
    [502, '<html>502 Bad Gateway</html>', 'unavailable', undefined],
    [503, {}, 'unavailable', undefined],
    [403, '<html>Forbidden</html>', 'malformed', undefined],
    [200, '<html>error code: 520</html>', 'malformed', undefined],
    [200, '{"success": tru', 'malformed', undefined],
    [200, [], 'malformed', undefined],
    [200, success(null), 'malformed', undefined],
    [200, success({ id: 'x' }), 'malformed', undefined],
    [302, success({ id: 'x' }), 'malformed', undefined],
    [400, success({ id: 'x' }), 'malformed', undefined],
  ] as const)('of %i %o is %s', async ([status, body, kind, code]) => {
    world.fake.faults.push({ kind: 'status', status, body });
    expect(await failure(world.api.getZone('a'.repeat(32)))).toMatchObject({ kind, code });
    expect(world.calls()).toHaveLength(1);
  });

  test.for([
    [403, refusal(9109, 'Unauthorized to access requested resource'), 9109],
    [403, refusal(0, 'Requires permission "com.cloudflare.api.account.zone.create"'), 0],
    [403, refusal(1068, 'Permission denied'), 1068],
    [400, refusal(10_000, 'Authentication error'), 10_000],
    [200, refusal(10_000, 'Authentication error'), 10_000],
    [400, refusal(6003, 'Invalid request headers', [{ code: 6103, message: 'Invalid format' }]), 6003],
    [400, refusal(6111, 'Invalid format for Authorization header'), 6111],
    [403, refusal(9103, 'Unknown X-Auth-Key or X-Auth-Email'), 9103],
    [400, refusal(9106, 'Missing X-Auth-Key, X-Auth-Email or Authorization headers'), 9106],
    [400, refusal(9107, 'Missing X-Auth-Key'), 9107],
    [401, refusal(1000, 'Invalid API Token'), 1000],
  ] as const)('of %i %o fails its own call only, if the login works', async ([status, body, code]) => {
    world.fake.faults.push({ kind: 'status', status, body, call: 'GET /zones/*', times: 2 });
    const refused = { kind: 'refused', forbidden: true, code };
    expect(await failure(world.api.getZone('a'.repeat(32)))).toMatchObject(refused);
    expect(world.calls()).toEqual([`GET /zones/${'a'.repeat(32)}`, 'GET /user']);
    // A login that was just verified is not verified again.
    expect(await failure(world.api.getZone('a'.repeat(32)))).toMatchObject(refused);
    expect(world.calls()).toHaveLength(3);
    world.fake.faults.push({ kind: 'status', status, body, times: 9 });
    const lost = world.open(LOGIN);
    expect(await failure(lost.getZone('a'.repeat(32)))).toMatchObject({ kind: 'credentials', code });
  });

  test('is reported with the message of Cloudflare and its chain, up to 500 characters', async () => {
    const chain = [{ code: 9005, message: 'Content for A record must be a valid IPv4 address.' }];
    world.fake.faults.push({ kind: 'status', status: 400, body: refusal(1004, 'DNS Validation Error', chain) });
    const error = await failure(world.api.listZones());
    expect(error.message).toBe(
      'DNS Validation Error (1004): Content for A record must be a valid IPv4 address. (9005)',
    );
    world.fake.faults.push({ kind: 'status', status: 400, body: refusal(1004, 'x'.repeat(10_000)) });
    expect((await failure(world.api.listZones())).message).toHaveLength(500);
  });

  test('is not read to the end where it is too large', async () => {
    world.fake.faults.push({ kind: 'status', status: 200, body: success('x'.repeat(9 * 2 ** 20)) });
    expect(await failure(world.api.listZones())).toMatchObject({ kind: 'malformed' });
  });
});

describe('a connection that fails', () => {
  test('is retried once for a read', async () => {
    world.fake.addZone({ name: 'example.com', account_id: ACCOUNT });
    world.fake.faults.push({ kind: 'drop-before' });
    expect(await world.api.listZones()).toHaveLength(1);
    expect(world.calls()).toHaveLength(2);
  });

  test('twice ends a read', async () => {
    world.fake.faults.push({ kind: 'drop-before', times: 5 });
    expect(await failure(world.api.listZones())).toMatchObject({ kind: 'unavailable', status: undefined });
    expect(world.calls()).toHaveLength(2);
  });

  test('because there is no server is not retried', async () => {
    const nowhere = cloudflare('http://127.0.0.1:9/client/v4', LOGIN);
    expect((await failure(nowhere.listZones())).kind).toBe('unavailable');
  });

  test('by a timeout is not retried', async () => {
    const hasty = world.open(LOGIN, { timeouts: { read: 50, write: 50 } });
    const answer = hold();
    world.fake.faults.push(answer.fault);
    expect(await failure(hasty.listZones())).toMatchObject({ kind: 'unavailable', code: 'ETIMEDOUT' });
    expect(world.calls()).toHaveLength(1);
    answer.release();
  });

  test('because the caller aborts it throws the reason of the caller', async () => {
    const stop = new AbortController();
    const stopped = world.open(LOGIN, { signal: stop.signal });
    const answer = hold();
    world.fake.faults.push(answer.fault);
    const call = stopped.listZones();
    stop.abort(new Error('cancelled'));
    await expect(call).rejects.toThrow('cancelled');
    await expect(stopped.listZones()).rejects.toThrow('cancelled');
    answer.release();
  });
});

describe('a secret', () => {
  const everythingOf = (error: unknown): string => inspect(error, { depth: 10, showHidden: true });

  test('is in no error for any answer', async () => {
    const { api_key, email } = LOGIN;
    const answers = [
      { kind: 'status' as const, status: 403, body: refusal(9103, `Unknown key ${api_key} of ${email}`) },
      { kind: 'status' as const, status: 400, body: refusal(1004, 'no', [{ code: 1, message: api_key }]) },
      { kind: 'status' as const, status: 200, body: api_key },
      { kind: 'status' as const, status: 200, body: success({ [api_key]: api_key }) },
      { kind: 'drop-before' as const, times: 2 },
    ];
    for (const fault of answers) {
      world.fake.faults.push(fault);
      expect(everythingOf(await failure(world.api.getZone('a'.repeat(32))))).not.toContain(api_key);
    }
  });

  test('is in no error in another spelling, nor in one about an unexpected answer', async () => {
    const { api_key } = LOGIN;
    const spellings = [
      Buffer.from(api_key).toString('hex'),
      Buffer.from(api_key).toString('base64'),
      Buffer.from(`${LOGIN.email}:${api_key}`).toString('base64'),
    ];
    for (const spelling of [api_key, ...spellings]) {
      const zone = { id: spelling, name: 'example.com', status: 'active', account: { id: ACCOUNT } };
      for (const body of [refusal(1004, `You sent ${spelling}!`), success(zone)]) {
        world.fake.faults.push({ kind: 'status', status: 200, body });
        const said = everythingOf(await failure(world.api.getZone('a'.repeat(32))));
        expect(said).toContain('********');
        expect(said).not.toContain(spelling.slice(6, -6));
      }
    }
  });

  test('is redacted in the name of an account, which is shown to the whole team', async () => {
    const account = { id: ACCOUNT, name: `Of ${LOGIN.api_key}` };
    const body = success([account], { page: 1, per_page: 50, total_count: 1 });
    world.fake.faults.push({ kind: 'status', status: 200, body });
    expect(await world.api.listAccounts()).toEqual({
      accounts: [{ id: ACCOUNT, name: 'Of ********' }],
      complete: true,
    });
    const zone = { id: 'c'.repeat(32), name: 'example.com', status: 'active', account };
    const zones = success([zone], { page: 1, per_page: 50, total_count: 1 });
    world.fake.faults.push({ kind: 'status', status: 200, body: zones, call: 'GET /zones' });
    world.fake.faults.push({ kind: 'status', status: 200, body, call: 'GET /accounts' });
    world.fake.faults.push({ kind: 'status', status: 200, body: success([]), times: 9 });
    const verified = await failure(world.api.verify()).catch((error: unknown) => error);
    expect(everythingOf(verified)).not.toContain(LOGIN.api_key);
  });

  test('from an answer is redacted in later errors of that exchange, and not in those of another', async () => {
    const given = { id: 'x', status: 'active', token: 'given-by-the-service', value: 'shown' };
    world.fake.faults.push({ kind: 'status', status: 200, body: success(given) });
    await failure(world.api.getZone('a'.repeat(32)));
    const said = refusal(1004, 'given-by-the-service is shown');
    world.fake.faults.push({ kind: 'status', status: 400, body: said });
    expect((await failure(world.api.listZones())).message).toBe('******** is shown (1004)');
    world.fake.faults.push({ kind: 'status', status: 400, body: said });
    expect((await failure(world.open(LOGIN).listZones())).message).toBe('given-by-the-service is shown (1004)');
    // A refusal may contain the new secret itself.
    world.fake.faults.push({
      kind: 'status',
      status: 400,
      body: { ...refusal(1004, 'no to given-in-a-refusal'), result: { client_secret: 'given-in-a-refusal' } },
    });
    expect((await failure(world.open(LOGIN).listZones())).message).toBe('no to ******** (1004)');
  });

  test('of one login is not redacted in the errors of another', async () => {
    world.fake.faults.push({ kind: 'status', status: 400, body: refusal(1004, `no ${STRANGER.api_key}`) });
    expect((await failure(world.api.listZones())).message).toBe(`no ${STRANGER.api_key} (1004)`);
  });

  test('is in no URL', async () => {
    await world.api.verify();
    for (const { path, query } of world.fake.requests) {
      expect(path + JSON.stringify(query)).not.toContain(LOGIN.api_key);
    }
  });

  test.for(['ключ-от-аккаунта', 'two\nlines'])(
    'like %o is refused as a key, and is not in the error',
    async (api_key) => {
      const open = () => world.open({ email: LOGIN.email, api_key });
      expect(open).toThrow(expect.objectContaining({ kind: 'credentials' }));
      expect(open).not.toThrow(api_key);
    },
  );

  test('that is empty is refused', () => {
    expect(() => world.open({ email: LOGIN.email, api_key: '' })).toThrow('characters');
  });

  test('is sent in one way only: a token as bearer, a key with its e-mail', async () => {
    await expect(world.open({ email: LOGIN.email, api_key: 't'.repeat(40) }).listZones()).rejects.toThrow('6103');
    await expect(world.open({ email: '', api_key: 't'.repeat(40) }).listZones()).resolves.toEqual([]);
  });
});
