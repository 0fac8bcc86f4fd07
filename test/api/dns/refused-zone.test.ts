// Answers that speak of a wrong login, but come from one zone alone: they fail that zone, and the login is asked for itself.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCdn, type Cdn } from '../../support/cdn.ts';

const NAMES = ['a.com', 'b.com', 'c.com', 'd.com', 'e.com'];

let cdn: Cdn;
beforeEach(async () => {
  cdn = await startCdn();
  for (const name of NAMES) {
    cdn.addZone(name);
    await cdn.addDomain(name);
  }
  cdn.fake.requests.length = 0;
});
afterEach(() => cdn.close());

const refusing = (status: number, code: number, isMeant: (path: string) => boolean): void => {
  const body = { success: false, errors: [{ code, message: 'Nope' }], messages: [], result: null };
  cdn.fake.faults.push({ kind: 'status', status, body, match: ({ path }) => isMeant(path), times: 9_999 });
};
const enabled = async () => {
  const { body } = await cdn.call('POST /api/manage-under-attack-mode-all', { action: 'enable' });
  return cdn.ended(body.operation.id);
};
const levels = () => NAMES.map((name) => cdn.zone(name).settings['security_level']?.value);
const account = async () => (await cdn.call('GET /api/cloudflare_accounts')).body.data[0];
const proofs = (): number => cdn.fake.requests.filter(({ path }) => path === '/user').length;

const ANSWERS = [
  [400, 6003],
  [403, 9103],
  [400, 9106],
  [401, 1000],
] as const;

for (const closed of ['a.com', 'e.com']) {
  test.for(ANSWERS)(`a %i (%i) of ${closed} fails that zone alone`, async ([status, code]) => {
    const { id } = cdn.zone(closed);
    refusing(status, code, (path) => path.startsWith(`/zones/${id}`));
    expect(await enabled()).toMatchObject({ state: 'partial', failed: 1 });
    expect(levels()).toEqual(NAMES.map((name) => (name === closed ? undefined : 'under_attack')));
    expect((await account()).check_error).toBeNull();
    expect(proofs()).toBeLessThanOrEqual(1);
  });
}

test.for(ANSWERS)('a %i (%i) of every call is a wrong login, found by two calls', async ([status, code]) => {
  refusing(status, code, () => true);
  expect(await enabled()).toMatchObject({ state: 'failed', failed: NAMES.length });
  expect((await account()).check_error).toContain(String(code));
  expect([cdn.fake.requests.length, proofs()]).toEqual([2, 1]);
});
