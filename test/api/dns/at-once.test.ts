// Saves of one zone, of which each has read the zone before the other has written.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { pointingAt, SERVER_IP, startCdn, type Cdn } from '../../support/cdn.ts';

let cdn: Cdn;
let id: number;

interface Shown {
  id: string;
  type: string;
  name: string;
  content: string;
  proxied: boolean;
}

beforeEach(async () => {
  cdn = await startCdn();
  id = await cdn.addDomain('one.com');
  cdn.addZone('one.com', ['A @ 198.51.100.1', 'A www 192.0.2.2', 'TXT note old']);
});
afterEach(() => cdn.close());

const read = async (): Promise<{ dns: Shown[]; version: string }> => (await cdn.call(`GET /api/domain_dns/${id}`)).body;
const save = (dns: object[], version?: string) =>
  cdn.call(`POST /api/domain_dns/${id}`, { dns, copyOnTransfer: 'off', ...(version !== undefined && { version }) });
const having = (dns: readonly Shown[], name: string, content: string): Shown[] =>
  dns.map((record) => (record.name === name || record.name === `${name}.one.com` ? { ...record, content } : record));
const contentOf = (name: string) =>
  cdn
    .zone('one.com')
    .records.find((one) => one.name === `${name}.one.com`)
    ?.content.replaceAll('"', '');
const written = () => cdn.fake.requests.filter(({ method }) => method !== 'GET').length;

/** Makes a save that reads the zone, then `meanwhile` from its begin to its end, and lets the save go on then. */
async function overtaken(late: () => ReturnType<typeof save>, meanwhile: () => Promise<unknown>) {
  const { fault, release } = hold();
  cdn.fake.faults.push({ ...fault, call: 'GET /zones/*/dns_records' });
  const answer = late();
  await vi.waitFor(() => expect(cdn.fake.faults).toEqual([]), { timeout: 20_000 });
  await meanwhile();
  const before = written();
  release();
  return { ...(await answer), writes: written() - before };
}

test.each([true, false])(
  'a save that another has overtaken writes nothing and says so (with a version: %s)',
  async (has) => {
    const { dns, version } = await read();
    const shown = has ? version : undefined;
    const late = await overtaken(
      () => save(having(dns, 'www', '192.0.2.9'), shown),
      async () => expect((await save(having(dns, 'www', '192.0.2.8'), shown)).status).toBe(200),
    );
    expect([late.status, late.body.code, late.writes]).toEqual([409, 'zone_changed', 0]);
    expect(contentOf('www')).toBe('192.0.2.8');
  },
);

test('a deletion that a change has overtaken writes nothing, and neither does a save of another record', async () => {
  const first = await read();
  const deletion = await overtaken(
    () =>
      save(
        first.dns.filter(({ type }) => type !== 'TXT'),
        first.version,
      ),
    async () => expect((await save(having(first.dns, 'note', 'new'), first.version)).status).toBe(200),
  );
  expect([deletion.status, deletion.body.code, deletion.writes]).toEqual([409, 'zone_changed', 0]);
  expect(contentOf('note')).toBe('new');
  const second = await read();
  const other = await overtaken(
    () => save(having(second.dns, 'note', 'newer'), second.version),
    async () => expect((await save(having(second.dns, 'www', '192.0.2.8'), second.version)).status).toBe(200),
  );
  expect([other.status, other.writes, contentOf('note')]).toEqual([409, 0, 'new']);
});

test('a save without a version keeps what another has written to other records, and its restore gives back what it has replaced', async () => {
  const { dns } = await read();
  const late = await overtaken(
    () => save(having(dns, 'note', 'new')),
    async () => expect((await save(having(dns, 'www', '192.0.2.8'))).status).toBe(200),
  );
  expect([late.status, contentOf('www'), contentOf('note')]).toEqual([200, '192.0.2.8', 'new']);
  const back = await cdn.call(`POST /api/operations/${late.body.operation.id}/restore`, {});
  expect(await cdn.ended(back.body.operation.id)).toMatchObject({ state: 'succeeded' });
  expect([contentOf('www'), contentOf('note')]).toEqual(['192.0.2.8', 'old']);
});

test('a save sees what a change of DNS, and work that is tried again, have written meanwhile', async () => {
  const pointing = async () => {
    const { body } = await cdn.call('POST /api/manage_dns', pointingAt(cdn, 'one.com'));
    return { id: body.operation.id, ...(await cdn.ended(body.operation.id)) };
  };
  cdn.fake.faults.push({ kind: 'status', status: 400, body: refusal, call: 'POST /zones/*/dns_records/batch' });
  const failed = await pointing();
  expect(failed.state).toBe('failed');
  const { dns, version } = await read();
  const wanted = having(dns, 'one.com', '192.0.2.7');
  const late = await overtaken(
    () => save(wanted, version),
    async () => {
      await cdn.call(`POST /api/operations/${failed.id}/retry`, {});
      expect(await cdn.ended(failed.id)).toMatchObject({ state: 'succeeded' });
    },
  );
  expect([late.status, late.body.code, late.writes]).toEqual([409, 'zone_changed', 0]);
  expect(cdn.zone('one.com').records.find(({ name }) => name === 'one.com')?.content).toBe(SERVER_IP);
});

const refusal = { success: false, errors: [{ code: 9005, message: 'no such content' }], result: null };
