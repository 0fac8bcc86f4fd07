// A site moves from a main domain to a reserve: what is done, what is taken back, and what is told beforehand.
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { cancelOperation, enqueue, refuseHeld, requeue } from '../../src/operations/queue.ts';
import { deleteDomain, updateDomain } from '../../src/services/domains.ts';
import { deleteProject, restoreProject } from '../../src/services/projects.ts';
import { deleteTeamRow } from '../../src/services/team.ts';
import type { AppError } from '../../src/shared/errors.ts';
import { startDnsChange } from '../../src/services/dns-change.ts';
import { SYSTEM } from '../../src/services/scope.ts';
import { queueTransfers } from '../../src/services/transfer-queue.ts';
import { planTransfer, startTransfer, transferHistory } from '../../src/services/transfers.ts';
import { operationRow } from '../../src/operations/lease.ts';
import { ManageDnsInput } from '../../src/shared/dns-changes.ts';
import { webRoot } from '../../src/shared/domains.ts';
import type { OperationRow } from '../../src/shared/operations.ts';
import { viewOf } from '../../src/services/operations.ts';
import { setGate } from '../../src/services/transfer-gate.ts';
import { translate, type Key } from '../../src/shared/i18n/index.ts';
import { dump } from '../database.ts';
import { STOCK, UNCLEAR } from '../page-corpus.ts';
import { QUICK_GATE } from '../quick-gate.ts';
import { forwardsOf, MAIN, OLDER, pairOf, RESERVE, SPARE, startMoves, type Moves } from '../moves.ts';

let moves: Moves;
beforeAll(async () => {
  moves = await startMoves();
});
afterAll(() => moves.close());
beforeEach(() => moves.reset());

const move = async (
  source: string,
  target: string,
  more: { force?: boolean; confirm_site?: string } = {},
): Promise<OperationRow> => moves.run(await moves.start(source, target, more));

const said = ({ message }: OperationRow): string => (JSON.parse(message) as { key: string }).key;

const records = (zone: string): string[] =>
  moves
    .zone(zone)
    .records.map(({ type, name, content, proxied }) => `${type} ${name} ${content}${proxied ? ' proxied' : ''}`)
    .toSorted();

const forwards = (zone: string): string[] => forwardsOf(moves.zone(zone));

const types = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await select<{ domain_name: string; type: string }>('SELECT domain_name, type FROM domains ORDER BY id')).map(
      ({ domain_name, type }) => [domain_name, type],
    ),
  );

const error = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ kind, key }: { kind: string; key: string }) => `${kind} ${key}`,
  );

describe('moved', () => {
  test('the reserve is the main domain, and the old one and the older one lead straight there', async () => {
    const ended = await move(MAIN, RESERVE);
    expect([ended.state, said(ended)]).toEqual(['succeeded', 'transfer.done']);
    expect(await types()).toEqual({ [MAIN]: 'transfer', [RESERVE]: 'main', [OLDER]: 'transfer', [SPARE]: 'transfer' });
    expect(await moves.domain(MAIN)).toMatchObject({ transfer_type: 'manual', project_id: 1 });
    expect(await moves.domain(RESERVE)).toMatchObject({ project_id: 1, server_id: 1, cloudflare_account_id: 2 });
    expect(await moves.visit(MAIN)).toMatchObject({ status: 200, hosts: [MAIN, RESERVE] });
    expect(await moves.visit(OLDER)).toMatchObject({ status: 200, hosts: [OLDER, RESERVE] });
    // Changed in place: the rule is the same one.
    expect(moves.zone(OLDER).page_rules.map(({ id }) => id)).toEqual(['9'.repeat(32)]);
    expect(await moves.history()).toMatchObject([
      {
        main_domain_name: MAIN,
        transfer_domain_name: RESERVE,
        action: 'explicit',
        project_id: 1,
        operation_id: ended.id,
      },
    ]);
    expect(moves.zone(RESERVE).settings).toMatchObject({
      tls_1_3: { value: 'off' },
      security_level: { value: 'high' },
    });
  });

  test('its records point at the server of the site, and its mail stays its own', async () => {
    await move(MAIN, RESERVE);
    expect(records(RESERVE)).toEqual([
      `A ${RESERVE} 203.0.113.10 proxied`,
      `A www.${RESERVE} 203.0.113.10 proxied`,
      `MX ${RESERVE} mx.example.org`,
      `TXT ${RESERVE} "google-site-verification=reserve"`,
    ]);
  });

  test('with copying on, the records of the main domain come along under the new name', async () => {
    await moves.reset({ copy: true });
    await move(MAIN, RESERVE);
    expect(records(RESERVE)).toEqual([
      `A ${RESERVE} 203.0.113.10 proxied`,
      `A www.${RESERVE} 203.0.113.10 proxied`,
      `CNAME shop.${RESERVE} ${RESERVE} proxied`,
      `MX ${RESERVE} mx.example.org`,
      `TXT ${RESERVE} "google-site-verification=reserve"`,
      `TXT ${RESERVE} "v=spf1 include:_spf.${RESERVE} -all"`,
    ]);
  });

  test('the site is made for the new name and switched to before anybody is sent there', async () => {
    await moves.reset({ site: true });
    const ended = await move(MAIN, RESERVE);
    expect(said(ended)).toBe('transfer.done');
    const link = readlinkSync(join(moves.ssh.root, webRoot(RESERVE)));
    expect(link).toMatch(/^\.releases\/reserve\.com\/[0-9a-f]{64}$/);
    expect(await moves.visit(MAIN)).toMatchObject({ status: 200, hosts: [MAIN, RESERVE] });
    expect((await moves.visit(MAIN)).text).toContain('<h1>The site</h1>');
    const [site] = await select<{ release: string; html_name: string }>('SELECT * FROM sites WHERE domain_id = 2');
    expect(site).toMatchObject({ release: link.split('/').at(-1), html_name: 'page.html' });
    expect(await moves.domain(RESERVE)).toMatchObject({ template_id: 1 });
    const { acts } = await moves.item(ended.id);
    const order = Object.keys(acts);
    expect(order.indexOf('activate')).toBeLessThan(order.indexOf('gate'));
    expect(order.indexOf('gate')).toBeLessThan(order.indexOf('redirect'));
  });

  test('a zone that is not there is made in the account of the main domain', async () => {
    const ended = await move(MAIN, SPARE);
    expect(moves.zone(SPARE)).toMatchObject({ status: 'pending' });
    expect(said(ended)).toBe('transfer.done');
    expect(await moves.domain(SPARE)).toMatchObject({ type: 'main', cloudflare_account_id: 1 });
  });

  test('there and back: the loop is taken away first, and each name has one rule at most', async () => {
    await move(MAIN, RESERVE);
    moves.fake.requests.length = 0;
    const back = await move(RESERVE, MAIN);
    expect(said(back)).toBe('transfer.done');
    expect([forwards(MAIN), forwards(RESERVE), forwards(OLDER)]).toEqual([
      [],
      [`https://${MAIN}/$2`],
      [`https://${MAIN}/$2`],
    ]);
    expect(await types()).toMatchObject({ [MAIN]: 'main', [RESERVE]: 'transfer' });
    expect(await moves.visit(RESERVE)).toMatchObject({ status: 200, hosts: [RESERVE, MAIN] });
    const again = await move(MAIN, RESERVE);
    expect(said(again)).toBe('transfer.done');
    expect(await moves.visit(MAIN)).toMatchObject({ status: 200, hosts: [MAIN, RESERVE] });
    expect(await moves.history()).toHaveLength(3);
  });

  test('on and on: every older name leads straight to the newest', async () => {
    await move(MAIN, RESERVE);
    await move(RESERVE, SPARE);
    for (const name of [OLDER, MAIN, RESERVE]) {
      expect(await moves.visit(name)).toMatchObject({ status: 200, hosts: [name, SPARE] });
    }
    expect(await types()).toMatchObject({ [MAIN]: 'transfer', [RESERVE]: 'transfer', [SPARE]: 'main' });
  });

  test('what was attached to the old main domain, or to one before it, leads straight to the new one', async () => {
    const input = { accountId: 1, domainName: MAIN, ipAddress: '203.0.113.10', pageRules: ['attached.com'] };
    const { id } = await startDnsChange(SYSTEM, ManageDnsInput.parse(input), { here: true });
    expect((await moves.run(id)).state).toBe('succeeded');
    expect(forwards('attached.com')).toEqual([`https://${MAIN}/$2`]);
    await move(MAIN, RESERVE);
    expect(forwards('attached.com')).toEqual([`https://${RESERVE}/$2`]);
    // Operations are let go of after ninety days; what they attached is not.
    await transaction(() => execute('DELETE FROM operations'));
    await move(RESERVE, SPARE);
    expect(forwards('attached.com')).toEqual([`https://${SPARE}/$2`]);
  });

  test('an older name whose account is refused is told of, beside that the site has moved', async () => {
    moves.fake.faults.push({
      kind: 'status',
      status: 403,
      match: ({ path }) => path.includes(`/zones/${moves.zone(OLDER).id}/`),
    });
    const ended = await move(MAIN, RESERVE);
    expect([ended.state, said(ended)]).toEqual(['failed', 'transfer.done_open']);
    expect((await moves.item(ended.id)).error).toBe('transfer.older_left');
    expect(await types()).toMatchObject({ [MAIN]: 'transfer', [RESERVE]: 'main' });
    moves.fake.faults.length = 0;
    await requeue(ended.id, true);
    expect(said(await moves.run(ended.id))).toBe('transfer.done');
    expect(await moves.visit(OLDER)).toMatchObject({ hosts: [OLDER, RESERVE] });
  });

  test('of two rules that say the same the younger goes', async () => {
    const [rule] = moves.zone(OLDER).page_rules;
    const forwarding = (id: string, created_on: string) =>
      Object.assign(structuredClone(rule!), {
        id: id.repeat(32),
        created_on,
        targets: [{ target: 'url', constraint: { operator: 'matches', value: `*${MAIN}/*` } }],
        actions: [{ id: 'forwarding_url', value: { url: `https://${RESERVE}/$2`, status_code: 301 } }],
      });
    moves.zone(MAIN).page_rules = [forwarding('b', '2026-02-02T00:00:00Z'), forwarding('a', '2026-01-01T00:00:00Z')];
    expect(said(await move(MAIN, RESERVE))).toBe('transfer.done');
    expect(moves.zone(MAIN).page_rules.map(({ id }) => id)).toEqual(['a'.repeat(32)]);
  });

  test('where page rules can no longer be made, single redirects do the same, and are changed in place, too', async () => {
    for (const name of [MAIN, RESERVE]) moves.zone(name).page_rules_closed = true;
    await move(MAIN, RESERVE);
    const [rule] = moves.zone(MAIN).rulesets[0]!.rules;
    expect(rule).toMatchObject({ enabled: true });
    await move(RESERVE, SPARE);
    expect(moves.zone(MAIN).rulesets[0]!.rules.map(({ id }) => id)).toEqual([rule!.id]);
    expect(await moves.visit(MAIN)).toMatchObject({ hosts: [MAIN, SPARE] });
  });
});

describe('not moved', () => {
  test('a reserve that does not answer: all is put back, and the main domain was not touched', async () => {
    await moves.reset({ site: true, copy: true });
    const before = records(RESERVE);
    moves.troubles[RESERVE] = { status: 502, error: null };
    const ended = await move(MAIN, RESERVE);
    expect([ended.state, said(ended)]).toEqual(['failed', 'transfer.not_moved']);
    const { error: why, acts } = await moves.item(ended.id);
    expect(why).toBe('transfer.gate_failed');
    expect(new Set(Object.values(acts))).toEqual(new Set(['undone']));
    expect(records(RESERVE)).toEqual(before);
    expect(moves.zone(RESERVE).settings['security_level']?.value).toBe('medium');
    expect(existsSync(join(moves.ssh.root, webRoot(RESERVE)))).toBe(false);
    expect(readdirSync(join(moves.ssh.root, webRoot(RESERVE), '../.releases', RESERVE))).toEqual([]);
    expect(moves.writes(MAIN)).toEqual([]);
    expect(await types()).toMatchObject({ [MAIN]: 'main', [RESERVE]: 'transfer' });
    expect(await moves.history()).toEqual([]);
    await expect(refuseHeld([`domain ${MAIN}`])).resolves.toBeUndefined();
  });

  test('a server that shows another site than ours: its words count, not its status', async () => {
    await moves.reset({ site: true });
    // What is uploaded goes where the sites do not look.
    await transaction(() =>
      execute(`UPDATE domains SET file_path = '/srv/other' WHERE domain_name = $name`, { name: RESERVE }),
    );
    const ended = await move(MAIN, RESERVE);
    expect((await moves.item(ended.id)).error).toBe('transfer.gate_failed');
    expect(moves.writes(MAIN)).toEqual([]);
  });

  test('tried again once it answers, it moves', async () => {
    moves.troubles[RESERVE] = { status: 502, error: null };
    const { id } = await move(MAIN, RESERVE);
    delete moves.troubles[RESERVE];
    await requeue(id, true);
    const ended = await moves.run(id);
    expect([ended.state, said(ended)]).toEqual(['succeeded', 'transfer.done']);
    expect(await moves.history()).toHaveLength(1);
    expect(await moves.visit(MAIN)).toMatchObject({ status: 200, hosts: [MAIN, RESERVE] });
  });

  test('a rule of somebody else’s for either name is left to a person', async () => {
    moves.zone(MAIN).page_rules = [{ ...moves.zone(OLDER).page_rules[0]!, id: 'a'.repeat(32) }];
    moves.zone(MAIN).page_rules[0]!.targets = [
      { target: 'url', constraint: { operator: 'matches', value: `*${MAIN}/*` } },
    ];
    moves.zone(MAIN).page_rules[0]!.actions = [
      { id: 'forwarding_url', value: { url: 'https://elsewhere.org/$2', status_code: 301 } },
    ];
    const ended = await move(MAIN, RESERVE);
    expect((await moves.item(ended.id)).error).toBe('rules.forwards_elsewhere');
    expect(moves.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('a key that no longer works stops it before anything is touched', async () => {
    moves.fake.state.logins[1]!.api_key = 'changed';
    const ended = await move(MAIN, RESERVE);
    moves.fake.state.logins[1]!.api_key = moves.fake.state.logins[0]!.api_key!;
    expect((await moves.item(ended.id)).error).toBe('provider.credentials');
    expect(moves.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('cancelled before it began', async () => {
    const id = await moves.start(MAIN, RESERVE);
    await cancelOperation(id);
    expect((await operationRow(id)).state).toBe('cancelled');
    expect(moves.fake.requests).toEqual([]);
  });
});

describe('seen from outside', () => {
  const outcome = async () => {
    const { data } = await transferHistory(SYSTEM, 'en', 1);
    const [{ outcome, warning, redirect_seen_at } = { outcome: null, warning: null, redirect_seen_at: null }] = data;
    return { outcome, warning: warning ?? '', isSeen: redirect_seen_at !== null };
  };
  /** Runs a move, and does something once it waits for what its message says. */
  async function whileWaiting(key: string, act: (id: number) => Promise<void>): Promise<OperationRow> {
    const id = await moves.start(MAIN, RESERVE);
    const running = moves.run(id);
    await expect
      .poll(async () => (await viewOf(await operationRow(id), 'en')).message)
      .toMatch(translate('en', key as Key, { domain: RESERVE, source: MAIN, target: RESERVE, until: '' }).slice(0, 25));
    await act(id);
    return running;
  }

  test('the redirect is kept in the history once the old name answers with it', async () => {
    await move(MAIN, RESERVE);
    expect(await outcome()).toEqual({ outcome: 'done', warning: '', isSeen: true });
  });

  test('a name that goes past the CDN ends with a warning that says what to do', async () => {
    for (const record of moves.zone(MAIN).records) record.proxied = false;
    const ended = await move(MAIN, RESERVE);
    expect([ended.state, said(ended)]).toEqual(['succeeded', 'transfer.redirect_grey']);
    expect(await outcome()).toMatchObject({ outcome: 'done_with_warning', isSeen: false });
    expect((await outcome()).warning).toContain('orange cloud');
  });

  test('so does a zone that is not active, with its name servers', async () => {
    moves.zone(MAIN).status = 'pending';
    expect(said(await move(MAIN, RESERVE))).toBe('transfer.redirect_zone');
    expect((await outcome()).warning).toContain(moves.zone(MAIN).name_servers[0]);
  });

  test('a rule that does not show is waited for, and then told', async () => {
    setGate({ ...QUICK_GATE, redirect: { everyMs: 20, limitMs: 60_000 } });
    moves.sites.deaf.add(MAIN);
    const ended = await whileWaiting('transfer.waits_redirect', async () => void moves.sites.deaf.delete(MAIN));
    expect([said(ended), await outcome()]).toMatchObject(['transfer.done', { outcome: 'done' }]);
    await moves.reset();
    moves.sites.deaf.add(MAIN);
    setGate(QUICK_GATE);
    expect(said(await move(MAIN, RESERVE))).toBe('transfer.redirect_unseen');
    expect(await outcome()).toMatchObject({ outcome: 'done_with_warning', isSeen: false });
  });

  test('a certificate that is being issued is waited for, and the move goes on once it is there', async () => {
    setGate({ ...QUICK_GATE, certificate: { everyMs: 20, limitMs: 60_000 } });
    moves.sites.certificates.set(RESERVE, 'issuing');
    const ended = await whileWaiting('transfer.waits_certificate', async () => {
      expect(moves.writes(MAIN)).toEqual([]);
      moves.sites.certificates.clear();
    });
    expect(said(ended)).toBe('transfer.done');
  });

  test('while a move waits, a plan of another one says that it runs', async () => {
    setGate({ ...QUICK_GATE, certificate: { everyMs: 20, limitMs: 60_000 } });
    moves.sites.certificates.set(RESERVE, 'issuing');
    await whileWaiting('transfer.waits_certificate', async (id) => {
      const { failed, hash } = await planTransfer(moves.config, SYSTEM, { ...pairOf(MAIN, SPARE), force: false });
      expect(failed).toMatchObject([{ error: { key: 'transfer.locked', params: { id } } }]);
      expect(hash).toBe('');
      moves.sites.certificates.clear();
    });
  });

  test('a wait for a certificate can be cancelled: all is put back', async () => {
    const before = records(RESERVE);
    setGate({ ...QUICK_GATE, certificate: { everyMs: 20_000, limitMs: 600_000 } });
    moves.sites.certificates.set(RESERVE, 'issuing');
    const ended = await whileWaiting('transfer.waits_certificate', cancelOperation);
    setGate(QUICK_GATE);
    expect(ended.state).toBe('cancelled');
    expect(records(RESERVE)).toEqual(before);
    expect(moves.writes(MAIN)).toEqual([]);
  });

  test.each(['issuing', 'foreign'] as const)('a certificate that stays %s moves nothing', async (trouble) => {
    moves.sites.certificates.set(RESERVE, trouble);
    const ended = await move(MAIN, RESERVE);
    expect((await moves.item(ended.id)).error).toBe(
      trouble === 'issuing' ? 'transfer.certificate_late' : 'transfer.gate_failed',
    );
    expect(moves.writes(MAIN)).toEqual([]);
  });

  const seenAt = async (): Promise<string> =>
    (await planTransfer(moves.config, SYSTEM, { ...pairOf(MAIN, RESERVE), force: false })).readiness.seen?.print ?? '';
  const show = (html: string): void => {
    moves.troubles[RESERVE] = { status: 200, error: null, html };
  };

  test('a reserve that shows another site, or none, moves only where a person has confirmed that very page', async () => {
    show(STOCK['ispmanager']!);
    const stock = await move(MAIN, RESERVE, { confirm_site: await seenAt() });
    expect((await moves.item(stock.id)).error).toBe('transfer.page_panel');
    show(UNCLEAR['react shell']!);
    const unclear = await move(MAIN, RESERVE);
    expect((await moves.item(unclear.id)).error).toBe('transfer.site_unclear');
    const confirm_site = await seenAt();
    show(UNCLEAR['vue shell']!);
    const other = await move(MAIN, RESERVE, { confirm_site });
    expect((await moves.item(other.id)).error).toBe('transfer.site_changed');
    expect(moves.writes(MAIN)).toEqual([]);
    show(UNCLEAR['react shell']!);
    expect(said(await move(MAIN, RESERVE, { confirm_site }))).toBe('transfer.done');
  });

  test('a page that was confirmed is a warning no more, until it is another one', async () => {
    show(UNCLEAR['react shell']!);
    const confirm_site = await seenAt();
    const warned = async () =>
      (await planTransfer(moves.config, SYSTEM, { ...pairOf(MAIN, RESERVE), force: false, confirm_site })).warnings.map(
        ({ key }) => key,
      );
    expect(await warned()).not.toContain('transfer.site_unclear');
    show(UNCLEAR['vue shell']!);
    expect(await warned()).toContain('transfer.site_unclear');
  });

  test('and the plan says so before', async () => {
    const see = async () => {
      const { readiness, warnings } = await planTransfer(moves.config, SYSTEM, {
        ...pairOf(MAIN, RESERVE),
        force: false,
      });
      return [readiness.certificate, readiness.likeness?.verdict, warnings.at(-2)?.key];
    };
    expect(await see()).toEqual(['good', 'like', 'transfer.target_unknown']);
    moves.troubles[RESERVE] = { status: 200, error: null, html: STOCK['nginx']! };
    moves.sites.certificates.set(RESERVE, 'foreign');
    expect(await see()).toEqual(['foreign', 'stock', 'transfer.page_server']);
  });
});

describe('asked for', () => {
  test('twice at once, it is one; again afterwards, nothing is written', async () => {
    const first = await moves.start(MAIN, RESERVE, { idem_key: 'k' });
    expect(await startTransfer(moves.config, SYSTEM, { ...pairOf(MAIN, RESERVE), force: false })).toEqual({
      id: first,
      started: false,
    });
    await moves.run(first);
    moves.fake.requests.length = 0;
    const before = await dump();
    expect(await error(moves.start(MAIN, RESERVE))).toBe('conflict transfer.not_main');
    expect(await moves.start(MAIN, RESERVE, { idem_key: 'k' })).toBe(first);
    expect(await error(moves.start(MAIN, SPARE, { idem_key: 'k' }))).toBe('conflict operation.key_reused');
    expect(await dump()).toBe(before);
    expect(moves.fake.requests).toEqual([]);
  });

  test('of domains that cannot change their roles', async () => {
    const ask = (source: string, target: string) => error(moves.start(source, target));
    expect(await ask(RESERVE, MAIN)).toBe('conflict transfer.not_main');
    expect(await ask(MAIN, MAIN)).toBe('conflict transfer.not_reserve');
    await transaction(() =>
      execute('UPDATE domains SET project_id = NULL WHERE domain_name = $name', { name: RESERVE }),
    );
    expect(await ask(MAIN, RESERVE)).toBe('conflict transfer.other_project');
    await transaction(() =>
      execute('UPDATE domains SET cloudflare_account_id = NULL WHERE domain_name = $name', { name: MAIN }),
    );
    expect(await ask(MAIN, SPARE)).toBe('conflict transfer.no_account');
    expect(await ask('nobody.com', SPARE)).toBe('refused error.unknown_reference');
    expect(await ask(MAIN, 'nobody.com')).toBe('refused error.unknown_reference');
  });

  test('of two names of one zone', async () => {
    await transaction(() =>
      execute(`UPDATE domains SET domain_name = 'new.${MAIN}' WHERE domain_name = $name`, { name: RESERVE }),
    );
    expect(await error(moves.start(MAIN, RESERVE))).toBe('conflict transfer.same_zone');
  });

  test('what a transfer works with is nobody else’s meanwhile', async () => {
    const id = await moves.start(MAIN, RESERVE);
    const busy = (item: string) =>
      error(
        enqueue({
          kind: 'test',
          subject: item,
          user_id: null,
          input: {},
          message: { key: 'check.started' },
          items: [{ item, lane: 'x', data: {} }],
        }),
      );
    for (const item of [
      `dns ${MAIN}`,
      `dns ${RESERVE} sub.${RESERVE}`,
      `rule ${MAIN} 17`,
      `tls ${RESERVE}`,
      `site ${RESERVE}`,
    ]) {
      expect(await busy(item)).toBe('busy operation.busy');
    }
    expect(await error(moves.start(MAIN, SPARE))).toBe('busy operation.busy');
    const change = { type: 'main' } as const;
    expect(await error(updateDomain(SYSTEM, 2, change, ['type']))).toBe('conflict transfer.locked');
    expect(await error(deleteDomain(SYSTEM, 1))).toBe('conflict transfer.locked');
    // What it does not work with may be changed, and a form may send what is there.
    expect(
      await error(updateDomain(SYSTEM, 2, { type: 'transfer', transfer_dns: 'on' }, ['type', 'transfer_dns'])),
    ).toBe(null);
    await moves.run(id);
    expect(await error(updateDomain(SYSTEM, 2, change, ['type']))).toBe(null);
  });

  test('while it is under way nothing that it works with is deleted, and the refusal names it', async () => {
    await moves.reset({ site: true });
    const id = await moves.start(MAIN, RESERVE);
    const said = (work: Promise<unknown>) =>
      work.then(
        () => null,
        ({ kind, params }: AppError) => `${kind} ${params?.['id'] ?? params?.['uses']}`,
      );
    expect(await said(deleteProject(SYSTEM, 1))).toBe(`conflict ${id}`);
    expect(await said(deleteDomain(SYSTEM, 2))).toBe(`conflict ${id}`);
    for (const account of [1, 2]) {
      expect(await said(deleteTeamRow(SYSTEM, 'cloudflare_accounts', account))).toMatch(`; #${id}`);
    }
    expect(await said(deleteTeamRow(SYSTEM, 'servers', 1))).toBe(`conflict ${MAIN}; #${id}`);
    expect(await said(deleteTeamRow(SYSTEM, 'templates', 1))).toBe(`conflict ${MAIN}`);
    await moves.run(id);
    expect(await types()).toMatchObject({ [RESERVE]: 'main', [MAIN]: 'transfer' });
    await deleteProject(SYSTEM, 1);
    await restoreProject(SYSTEM, 1);
  });

  test('automatically: pairs and what is declined in one operation', async () => {
    const { id } = await queueTransfers(
      SYSTEM,
      [{ source_id: 1, target_id: 2 }],
      [{ source_id: 3, reason: { key: 'auto_transfer.no_reserve' } }],
      { action: 'auto', subject: 'project 1', message: { key: 'auto_transfer.started', params: { n: 1 } } },
    );
    const ended = await moves.run(id);
    expect([ended.state, JSON.parse(ended.message)]).toEqual([
      'partial',
      { key: 'transfer.done_many', params: { moved: 1, failed: 1 } },
    ]);
    expect(await moves.history()).toMatchObject([{ action: 'auto' }]);
    const items = await select<{ error: string }>(
      'SELECT * FROM operation_items WHERE operation_id = $id ORDER BY id',
      { id },
    );
    expect(JSON.parse(items[1]!.error)).toMatchObject({ key: 'auto_transfer.no_reserve' });
  });

  test('automatically, a reserve that expires soon is left alone', async () => {
    const soon = new Date(Date.now() + 5 * 86_400_000).toISOString();
    await transaction(() =>
      execute('UPDATE domains SET expired_at = $soon WHERE domain_name = $name', { soon, name: RESERVE }),
    );
    const auto = { action: 'auto', subject: 'x', message: { key: 'auto_transfer.nothing_ready' } } as const;
    const { id } = await queueTransfers(SYSTEM, [{ source_id: 1, target_id: 2 }], [], auto);
    await moves.run(id);
    expect((await moves.item(id)).error).toBe('transfer.target_expiring');
    expect(said(await move(MAIN, RESERVE))).toBe('transfer.done');
  });
});

describe('planned', () => {
  const plan = (source: string, target: string, force = false) =>
    planTransfer(moves.config, SYSTEM, { ...pairOf(source, target), force });

  test('what would be done, act by act, and nothing is written', async () => {
    await moves.reset({ site: true });
    const { acts, failed, hash, readiness, warnings } = await plan(MAIN, RESERVE);
    expect(failed).toEqual([]);
    expect(acts.map(({ act }) => act)).toEqual([
      'upload',
      'dns',
      'tls_1_3',
      'security_level',
      'activate',
      'redirect',
      'swap',
      `chain:${OLDER}`,
    ]);
    expect(moves.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(readiness).toMatchObject({
      list: 'unknown',
      zone: { status: 'active' },
      server: { name: 'srv', of: 'source' },
      account: { name: 'Account 2', of: 'target' },
      site: 'source',
      expired_at: null,
      expiring: false,
    });
    expect(warnings.map(({ key }) => key)).toEqual(['transfer.target_unknown']);
    const asked = { ...pairOf(MAIN, RESERVE), force: false };
    moves.zone(RESERVE).records[0]!.content = '192.0.2.99';
    expect(await error(startTransfer(moves.config, SYSTEM, { ...asked, plan: hash }))).toBe(
      'conflict operation.plan_stale',
    );
    const { hash: newer } = await plan(MAIN, RESERVE);
    const { id } = await startTransfer(moves.config, SYSTEM, { ...asked, plan: newer });
    expect(said(await moves.run(id))).toBe('transfer.done');
  });

  test('what a person has to know', async () => {
    const past = '2020-01-01T00:00:00.000Z';
    await transaction(() => execute('UPDATE domains SET expired_at = $past, server_id = NULL', { past }));
    for (const record of moves.zone(MAIN).records) record.proxied = false;
    const { warnings, readiness } = await plan(MAIN, SPARE);
    expect(warnings.map(({ key }) => key)).toEqual([
      'transfer.target_unknown',
      'transfer.target_expired',
      'transfer.zone_made',
      'transfer.no_server',
      'transfer.not_proxied',
    ]);
    expect(readiness).toMatchObject({
      account: { of: 'source' },
      server: null,
      site: null,
      zone: { status: 'missing' },
    });
  });

  test('while the CDN is away, how ready the reserve is', async () => {
    moves.fake.faults.push({ kind: 'status', status: 503, times: 1_000 });
    const { failed, acts, readiness } = await plan(MAIN, RESERVE);
    expect([acts, failed.map(({ error: { key } }) => key)]).toEqual([[], ['provider.unavailable']]);
    expect(readiness).toMatchObject({ zone: { status: 'unknown' }, account: { of: 'target' } });
  });

  test('records that would be lost have to be confirmed', async () => {
    await moves.reset({ copy: true });
    const zone = moves.zone(RESERVE);
    const [one] = zone.records;
    zone.records.push(
      ...Array.from({ length: 12 }, (_, n) => ({ ...one!, id: `${n}`.padStart(32, 'f'), content: `192.0.2.${n + 1}` })),
    );
    const { warnings } = await plan(MAIN, RESERVE);
    expect(warnings.map(({ key }) => key)).toContain('transfer.dns_many');
    const refused = await move(MAIN, RESERVE);
    expect((await moves.item(refused.id)).error).toBe('transfer.dns_many');
    expect(moves.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(said(await move(MAIN, RESERVE, { force: true }))).toBe('transfer.done');
  });
});

test('the history of a domain: newest first, searched and cut', async () => {
  await move(MAIN, RESERVE);
  await move(RESERVE, SPARE);
  const names = async (id: number, paging = {}) => {
    const { data, total } = await transferHistory(SYSTEM, 'en', id, paging);
    return [data.map((one) => `${one.main_domain_name} → ${one.transfer_domain_name}`), total];
  };
  expect(await names(2)).toEqual([[`${RESERVE} → ${SPARE}`, `${MAIN} → ${RESERVE}`], undefined]);
  expect(await names(2, { limit: 1, offset: 1 })).toEqual([[`${MAIN} → ${RESERVE}`], 2]);
  expect(await names(1, { search: 'OLDER' })).toEqual([[`${OLDER} → ${MAIN}`], 1]);
  expect(await names(2, { sort: 'created_at' })).toEqual([[`${MAIN} → ${RESERVE}`, `${RESERVE} → ${SPARE}`], 2]);
  await expect(transferHistory(SYSTEM, 'en', 2, { sort: 'nothing' })).rejects.toMatchObject({ kind: 'invalid' });
  await expect(transferHistory(SYSTEM, 'en', 99)).rejects.toMatchObject({ kind: 'not_found' });
});
