// Transfers over HTTP: rights, answers, and locks during the work.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSites, type Sites } from '../../src/demo/sites.ts';
import { createLog } from '../../src/lib/log.ts';
import { jobs } from '../../src/services/system/jobs.ts';
import { setGate } from '../../src/services/transfers/gate.ts';
import { startCdn, type Cdn } from '../support/cdn.ts';
import { QUICK_GATE } from '../support/quick-gate.ts';
import { createPerson, request } from '../support/server.ts';

let cdn: Cdn;
let sites: Sites;
let project: number;

beforeAll(async () => {
  setGate(QUICK_GATE);
  sites = await startSites({});
  cdn = await startCdn({}, 1, { allowPrivate: true, connectTo: `::127.0.0.1:${sites.port}`, ca: sites.ca });
  project = (await cdn.call('POST /api/projects', { name: 'Project' })).body.data.id;
});
afterAll(async () => {
  await cdn.close();
  await sites.close();
});

async function pair(name: string): Promise<{ sourceDomainId: number; targetDomainId: number }> {
  const domains = [
    { name: `${name}-old.com`, type: 'main' },
    { name: `${name}-new.com`, type: 'transfer' },
  ];
  const ids: number[] = [];
  for (const { name: domain, type } of domains) {
    cdn.addZone(domain, ['A @ 198.51.100.1']);
    sites.secured.add(domain);
    ids.push(await cdn.addDomain(domain, { type, project_id: project }));
  }
  return { sourceDomainId: ids[0]!, targetDomainId: ids[1]! };
}

const EXPLICIT = 'POST /api/transfer_explicit';

test('a transfer can be planned, starts once for repeated requests, and is listed in the history', async () => {
  const body = await pair('one');
  const { status, body: plan } = await cdn.call(`${EXPLICIT}/plan`, body);
  expect(status).toBe(200);
  expect(plan.data.acts.map(({ act }: { act: string }) => act)).toEqual(['redirect', 'swap']);
  expect(plan.data.readiness).toMatchObject({ list: 'unknown', zone: { status: 'active' }, site: null });
  expect(plan.data.warnings.map(({ code }: { code: string }) => code)).toContain('transfer.target_unknown');
  const key = { 'idempotency-key': 'one' };
  let called = 0;
  const buying = jobs(createLog('silent')).find(({ name }) => name === 'auto_buy');
  buying?.due?.(() => {
    called += 1;
  });
  const started = await cdn.call(EXPLICIT, { ...body, plan: plan.data.hash }, key);
  expect(started.body).toEqual({ message: 'Transfer process started', operation: { id: expect.any(Number) } });
  const ended = await cdn.ended(started.body.operation.id);
  expect(ended).toMatchObject({ kind: 'transfer', state: 'succeeded', restorable: false, retryable: false });
  // The project has a reserve less.
  await expect.poll(() => called).toBe(1);
  expect((await cdn.call(EXPLICIT, { ...body, plan: plan.data.hash }, key)).body).toEqual(started.body);
  const again = await cdn.call(EXPLICIT, body);
  expect([again.status, again.body.code]).toEqual([409, 'not_main']);
  const history = await cdn.call(`GET /api/domain_transfer_history/${body.sourceDomainId}`);
  expect(history.body).toEqual({
    data: [
      expect.objectContaining({
        main_domain_name: 'one-old.com',
        transfer_domain_name: 'one-new.com',
        action: 'explicit',
        // The fake has no site that answers with the redirect.
        outcome: 'done_with_warning',
        warning: expect.stringContaining('one-old.com'),
        redirect_seen_at: null,
      }),
    ],
  });
  const page = await cdn.call(`GET /api/domain_transfer_history/${body.targetDomainId}?limit=1&search=old`);
  expect(page.body).toMatchObject({ data: [{ id: history.body.data[0].id }], total: 1 });
});

test('a stale plan starts nothing', async () => {
  const body = await pair('two');
  const answer = await cdn.call(EXPLICIT, { ...body, plan: 'something else' });
  expect([answer.status, answer.body.code]).toEqual([409, 'plan_stale']);
});

test('domains of another user and unknown domains get the same answer', async () => {
  const body = await pair('three');
  const { token } = await createPerson(cdn.server);
  const ask = (sent: object, call = EXPLICIT) => request(cdn.server, call, { token, body: sent });
  for (const call of [EXPLICIT, `${EXPLICIT}/plan`]) {
    for (const sent of [body, { ...body, sourceDomainId: 999_999 }]) {
      const answer = await ask(sent, call);
      expect([answer.status, answer.body.error]).toEqual([422, 'Unknown sourceDomainId']);
    }
  }
  const own = await request(cdn.server, 'POST /api/domains', { token, body: { domain_name: 'own.com' } });
  for (const targetDomainId of [body.targetDomainId, 999_999]) {
    const answer = await ask({ sourceDomainId: own.body.data.id, targetDomainId });
    expect([answer.status, answer.body.error]).toEqual([422, 'Unknown targetDomainId']);
  }
  const history = await request(cdn.server, `GET /api/domain_transfer_history/${body.sourceDomainId}`, { token });
  expect(history.status).toBe(404);
});

test('a domain can’t be edited or deleted during its transfer', async () => {
  const body = await pair('four');
  cdn.fake.faults.push({ kind: 'status', status: 503, times: 50 });
  const { operation } = (await cdn.call(EXPLICIT, body)).body;
  const edit = await cdn.call(`POST /api/domains/${body.targetDomainId}`, { type: 'main' });
  expect([edit.status, edit.body.code]).toEqual([409, 'domain_locked']);
  expect((await cdn.call(`DELETE /api/domains/${body.sourceDomainId}`)).status).toBe(409);
  await cdn.call(`POST /api/operations/${operation.id}/cancel`, {});
  cdn.fake.faults.length = 0;
  expect(await cdn.ended(operation.id)).toMatchObject({ state: 'cancelled' });
  expect((await cdn.call(`POST /api/domains/${body.targetDomainId}`, { type: 'main' })).status).toBe(200);
});
