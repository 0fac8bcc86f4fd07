// The answers of both domains to visitors, before and after a site moves from a main domain to a reserve.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import type { OperationRow } from '../../../src/shared/operations/tables.ts';
import { cancelOperation } from '../../../src/operations/queue.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { planTransfer, transferHistory } from '../../../src/services/transfers/transfers.ts';
import { operationRow } from '../../../src/operations/lease.ts';
import { viewOf } from '../../../src/services/operations/operation-views.ts';
import { setGate } from '../../../src/services/transfers/gate.ts';
import { webRoot } from '../../../src/shared/portfolio/domains.ts';
import { translate, type Key } from '../../../src/shared/i18n/index.ts';
import { STOCK, UNCLEAR } from '../../support/page-corpus.ts';
import { QUICK_GATE } from '../../support/quick-gate.ts';
import { MAIN, OLDER, pairOf, RESERVE, SPARE } from '../../support/moves-portfolio.ts';
import { move, moves, records, said, useMoves } from './transfers.ts';
import { english } from '../../support/english.ts';

useMoves();

describe('during a move', () => {
  const outcome = async () => {
    const { data } = await transferHistory(SYSTEM, 1);
    const [{ outcome, warning, redirect_seen_at } = { outcome: null, warning: null, redirect_seen_at: null }] = data;
    return { outcome, warning: warning ? english(warning) : '', isSeen: redirect_seen_at !== null };
  };
  /** Runs a move and calls `act` once its message is that of `key`. */
  async function whileWaiting(key: string, act: (id: number) => Promise<void>): Promise<OperationRow> {
    const id = await moves.start(MAIN, RESERVE);
    const running = moves.run(id);
    await expect
      .poll(async () => english((await viewOf(await operationRow(id))).message))
      .toMatch(translate('en', key as Key, { domain: RESERVE, source: MAIN, target: RESERVE, until: '' }).slice(0, 25));
    await act(id);
    return running;
  }

  test('the redirect is stored in the history once the old name answers with it', async () => {
    await move(MAIN, RESERVE);
    expect(await outcome()).toEqual({ outcome: 'done', warning: '', isSeen: true });
  });

  test('a name that bypasses the CDN ends with a warning that says what to do', async () => {
    for (const record of moves.zone(MAIN).records) record.proxied = false;
    const ended = await move(MAIN, RESERVE);
    expect([ended.state, said(ended)]).toEqual(['succeeded', 'transfer.redirect_grey']);
    expect(await outcome()).toMatchObject({ outcome: 'done_with_warning', isSeen: false });
    expect((await outcome()).warning).toContain('orange cloud');
  });

  test('a zone that is not active ends with a warning that names its name servers', async () => {
    moves.zone(MAIN).status = 'pending';
    expect(said(await move(MAIN, RESERVE))).toBe('transfer.redirect_zone');
    expect((await outcome()).warning).toContain(moves.zone(MAIN).name_servers[0]);
  });

  test('a redirect that does not show is waited for, and then ends with a warning', async () => {
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

  const isForwarded = (host: string): boolean => host === RESERVE && moves.writes(MAIN).length > 0;
  test.each([
    [
      'the certificate of another name',
      'TLS: wrong_name',
      () =>
        vi
          .spyOn(moves.sites.certificates, 'get')
          .mockImplementation((host) => (isForwarded(host) ? 'foreign' : undefined)),
    ],
    [
      'an error',
      'HTTP 500',
      () => {
        const get = () => (isForwarded(RESERVE) ? { status: 500, error: null } : undefined);
        Object.defineProperty(moves.troubles, RESERVE, { get, configurable: true, enumerable: true });
      },
    ],
  ])('a reserve that shows %s as soon as it has visitors ends with a warning', async (_name, what, spoil) => {
    onTestFinished(() => void vi.restoreAllMocks());
    spoil();
    const ended = await move(MAIN, RESERVE);
    expect([ended.state, said(ended)]).toEqual(['succeeded', 'transfer.redirect_broken']);
    expect(await outcome()).toMatchObject({ outcome: 'done_with_warning', isSeen: false });
    expect((await outcome()).warning).toContain(what);
  });

  test('a reserve that visitors cannot open for a while is waited for', async () => {
    setGate({ ...QUICK_GATE, redirect: { everyMs: 20, limitMs: 60_000 } });
    moves.sites.deaf.add(MAIN);
    const ended = await whileWaiting('transfer.waits_redirect', async (id) => {
      moves.sites.certificates.set(RESERVE, 'foreign');
      moves.sites.deaf.delete(MAIN);
      await expect
        .poll(async () => english((await viewOf(await operationRow(id))).message))
        .toContain('TLS: wrong_name');
      moves.sites.certificates.clear();
    });
    expect([said(ended), await outcome()]).toMatchObject(['transfer.done', { outcome: 'done' }]);
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

  test('a plan for another move says that this one is running', async () => {
    setGate({ ...QUICK_GATE, certificate: { everyMs: 20, limitMs: 60_000 } });
    moves.sites.certificates.set(RESERVE, 'issuing');
    await whileWaiting('transfer.waits_certificate', async (id) => {
      const { failed, hash } = await planTransfer(SYSTEM, { ...pairOf(MAIN, SPARE), force: false });
      expect(failed).toMatchObject([{ error: { key: 'transfer.locked', params: { id, domain: MAIN } } }]);
      expect(hash).toBe('');
      // Of another main domain the reserve alone is busy, and is named.
      await transaction(() => execute(`UPDATE domains SET type = 'main' WHERE domain_name = '${OLDER}'`));
      const other = await planTransfer(SYSTEM, { ...pairOf(OLDER, RESERVE), force: false });
      expect(other.failed).toMatchObject([{ error: { key: 'transfer.locked', params: { id, domain: RESERVE } } }]);
      await transaction(() => execute(`UPDATE domains SET type = 'transfer' WHERE domain_name = '${OLDER}'`));
      moves.sites.certificates.clear();
    });
  });

  test('a wait for a certificate can be cancelled, and everything is undone', async () => {
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
    (await planTransfer(SYSTEM, { ...pairOf(MAIN, RESERVE), force: false })).readiness.seen?.print ?? '';
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

  test('a reserve with the same site whose page sends visitors back to the main domain gets none', async () => {
    const file = join(moves.ssh.root, webRoot(RESERVE), 'index.html');
    const page = readFileSync(file, 'utf8');
    const refreshing = (content: string) =>
      writeFileSync(file, `<meta http-equiv="refresh" content="${content}">${page}`);
    refreshing(`0;url=https://${MAIN}/`);
    const plan = await planTransfer(SYSTEM, { ...pairOf(MAIN, RESERVE), force: false });
    expect(plan.readiness.likeness).toMatchObject({ verdict: 'stock', why: 'sends_back' });
    expect(plan.warnings.map(({ key }) => key)).toContain('transfer.page_sends_back');
    const back = await move(MAIN, RESERVE, { confirm_site: plan.readiness.seen!.print });
    expect((await moves.item(back.id)).error).toBe('transfer.page_sends_back');
    expect(moves.writes(MAIN)).toEqual([]);
    refreshing(`300;url=https://${RESERVE}/`);
    expect(said(await move(MAIN, RESERVE))).toBe('transfer.done');
    expect(await moves.visit(MAIN)).toMatchObject({ status: 200, hosts: [MAIN, RESERVE] });
  });

  test('a confirmed page gives no warning until the page changes', async () => {
    show(UNCLEAR['react shell']!);
    const confirm_site = await seenAt();
    const warned = async () =>
      (await planTransfer(SYSTEM, { ...pairOf(MAIN, RESERVE), force: false, confirm_site })).warnings.map(
        ({ key }) => key,
      );
    expect(await warned()).not.toContain('transfer.site_unclear');
    show(UNCLEAR['vue shell']!);
    expect(await warned()).toContain('transfer.site_unclear');
  });

  test('a plan reports the certificate and the page of the reserve beforehand', async () => {
    const see = async () => {
      const { readiness, warnings } = await planTransfer(SYSTEM, {
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
