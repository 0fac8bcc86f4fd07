// Moving a site from a main domain to a reserve: the changes made, and the history of a domain.
import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { requeue } from '../../../src/operations/queue.ts';
import { startDnsChange } from '../../../src/services/dns/change.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { transferHistory } from '../../../src/services/transfers/transfers.ts';
import { ManageDnsInput } from '../../../src/shared/dns/dns-changes.ts';
import { webRoot } from '../../../src/shared/portfolio/domains.ts';
import { MAIN, OLDER, RESERVE, SPARE } from '../../support/moves-portfolio.ts';
import { forwards, move, moves, records, said, types, useMoves } from './transfers.ts';

useMoves();

describe('after a move', () => {
  test('the reserve is the main domain, and the former and older main domains redirect straight there', async () => {
    const ended = await move(MAIN, RESERVE);
    expect([ended.state, said(ended)]).toEqual(['succeeded', 'transfer.done']);
    expect(await types()).toEqual({ [MAIN]: 'transfer', [RESERVE]: 'main', [OLDER]: 'transfer', [SPARE]: 'transfer' });
    expect(await moves.domain(MAIN)).toMatchObject({ transfer_type: 'manual', project_id: 1 });
    expect(await moves.domain(RESERVE)).toMatchObject({ project_id: 1, server_id: 1, cloudflare_account_id: 2 });
    expect(await moves.visit(MAIN)).toMatchObject({ status: 200, hosts: [MAIN, RESERVE] });
    expect(await moves.visit(OLDER)).toMatchObject({ status: 200, hosts: [OLDER, RESERVE] });
    // The rule is changed in place and keeps its id.
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

  test('the records of the reserve point at the server of the site, and its mail records stay', async () => {
    await move(MAIN, RESERVE);
    expect(records(RESERVE)).toEqual([
      `A ${RESERVE} 203.0.113.10 proxied`,
      `A www.${RESERVE} 203.0.113.10 proxied`,
      `MX ${RESERVE} mx.example.org`,
      `TXT ${RESERVE} "google-site-verification=reserve"`,
    ]);
  });

  test('the records of the main domain are copied under the new name where copying is on', async () => {
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

  test('the site was deployed for the new name before the redirect', async () => {
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

  test('a missing zone exists in the account of the main domain', async () => {
    const ended = await move(MAIN, SPARE);
    expect(moves.zone(SPARE)).toMatchObject({ status: 'pending' });
    expect(said(ended)).toBe('transfer.done');
    expect(await moves.domain(SPARE)).toMatchObject({ type: 'main', cloudflare_account_id: 1 });
  });

  test('there and back, each name has at most one rule and there is no loop', async () => {
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

  test('and a second one, every older name redirects straight to the newest', async () => {
    await move(MAIN, RESERVE);
    await move(RESERVE, SPARE);
    for (const name of [OLDER, MAIN, RESERVE]) {
      expect(await moves.visit(name)).toMatchObject({ status: 200, hosts: [name, SPARE] });
    }
    expect(await types()).toMatchObject({ [MAIN]: 'transfer', [RESERVE]: 'transfer', [SPARE]: 'main' });
  });

  test('names attached to the old main domain, or to one before it, redirect straight to the new one', async () => {
    const input = { accountId: 1, domainName: MAIN, ipAddress: '203.0.113.10', pageRules: ['attached.com'] };
    const { id } = await startDnsChange(SYSTEM, ManageDnsInput.parse(input), { here: true });
    expect((await moves.run(id)).state).toBe('succeeded');
    expect(forwards('attached.com')).toEqual([`https://${MAIN}/$2`]);
    await move(MAIN, RESERVE);
    expect(forwards('attached.com')).toEqual([`https://${RESERVE}/$2`]);
    // Operations are purged after ninety days, their attachments are not.
    await transaction(() => execute('DELETE FROM operations'));
    await move(RESERVE, SPARE);
    expect(forwards('attached.com')).toEqual([`https://${SPARE}/$2`]);
  });

  test('an older name whose account refuses is reported together with the successful move', async () => {
    moves.fake.faults.push({
      kind: 'status',
      status: 403,
      match: ({ path }) => path.includes(`/zones/${moves.zone(OLDER).id}/`),
    });
    const ended = await move(MAIN, RESERVE);
    expect([ended.state, said(ended)]).toEqual(['partial', 'transfer.done_open']);
    expect((await moves.item(ended.id)).error).toBe('transfer.older_left');
    expect(await types()).toMatchObject({ [MAIN]: 'transfer', [RESERVE]: 'main' });
    moves.fake.faults.length = 0;
    await requeue(ended.id, true);
    expect(said(await moves.run(ended.id))).toBe('transfer.done');
    expect(await moves.visit(OLDER)).toMatchObject({ hosts: [OLDER, RESERVE] });
  });

  test('the younger of two equal rules is gone', async () => {
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

  test('single redirects replace page rules where those cannot be created, and are changed in place, too', async () => {
    for (const name of [MAIN, RESERVE]) moves.zone(name).page_rules_closed = true;
    await move(MAIN, RESERVE);
    const [rule] = moves.zone(MAIN).rulesets[0]!.rules;
    expect(rule).toMatchObject({ enabled: true });
    await move(RESERVE, SPARE);
    expect(moves.zone(MAIN).rulesets[0]!.rules.map(({ id }) => id)).toEqual([rule!.id]);
    expect(await moves.visit(MAIN)).toMatchObject({ hosts: [MAIN, SPARE] });
  });
});

test('the history of a domain is sorted newest first, can be searched and paged', async () => {
  await move(MAIN, RESERVE);
  await move(RESERVE, SPARE);
  const names = async (id: number, paging = {}) => {
    const { data, total } = await transferHistory(SYSTEM, id, paging);
    return [data.map((one) => `${one.main_domain_name} → ${one.transfer_domain_name}`), total];
  };
  expect(await names(2)).toEqual([[`${RESERVE} → ${SPARE}`, `${MAIN} → ${RESERVE}`], undefined]);
  expect(await names(2, { limit: 1, offset: 1 })).toEqual([[`${MAIN} → ${RESERVE}`], 2]);
  expect(await names(1, { search: 'OLDER' })).toEqual([[`${OLDER} → ${MAIN}`], 1]);
  expect(await names(2, { sort: 'created_at' })).toEqual([[`${MAIN} → ${RESERVE}`, `${RESERVE} → ${SPARE}`], 2]);
  await expect(transferHistory(SYSTEM, 2, { sort: 'nothing' })).rejects.toMatchObject({ kind: 'invalid' });
  await expect(transferHistory(SYSTEM, 99)).rejects.toMatchObject({ kind: 'not_found' });
});
