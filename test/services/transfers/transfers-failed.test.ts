// Transfers that fail: the changes that are undone, and the state that was never touched.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { cancelOperation, refuseHeld, requeue } from '../../../src/operations/queue.ts';
import { operationRow } from '../../../src/operations/lease.ts';
import { webRoot } from '../../../src/shared/portfolio/domains.ts';
import { MAIN, OLDER, RESERVE } from '../../support/moves-portfolio.ts';
import { move, moves, records, said, types, useMoves } from './transfers.ts';

useMoves();

describe('a transfer', () => {
  test('to a reserve that does not answer is undone without touching the main domain', async () => {
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
    expect(existsSync(join(moves.ssh.root, webRoot(RESERVE), '../.releases'))).toBe(false);
    expect(moves.writes(MAIN)).toEqual([]);
    expect(await types()).toMatchObject({ [MAIN]: 'main', [RESERVE]: 'transfer' });
    expect(await moves.history()).toEqual([]);
    await expect(refuseHeld([{ kind: 'domain', name: MAIN }])).resolves.toBeUndefined();
  });

  test('is undone but for a record whose former words somebody has added meanwhile', async () => {
    await moves.reset({ copy: true });
    const before = records(RESERVE);
    moves.troubles[RESERVE] = { status: 502, error: null };
    const { fault, release } = hold();
    moves.fake.faults.push({ ...fault, call: 'PATCH /zones/*/settings/security_level' });
    const was = { ...moves.zone(RESERVE).records.find(({ type }) => type === 'A')! };
    const id = await moves.start(MAIN, RESERVE);
    const moving = moves.run(id);
    await expect.poll(async () => (await moves.item(id)).acts['security_level']).toBe('intent');
    const { content } = moves.zone(RESERVE).records.find((record) => record.id === was.id)!;
    moves.zone(RESERVE).records.push({ ...was, id: 'e'.repeat(32) });
    release();
    expect(said(await moving)).toBe('transfer.not_moved');
    expect((await moves.item(id)).acts).toMatchObject({ dns: 'undone', tls_1_3: 'undone' });
    const made = `A ${RESERVE} ${content} proxied`;
    expect(before).not.toContain(made);
    expect(records(RESERVE)).toEqual([...before, made].toSorted());
  });

  test('fails where the server shows another site than ours, whatever its status', async () => {
    await moves.reset({ site: true });
    // The upload goes to a folder that the server does not serve.
    await transaction(() =>
      execute(`UPDATE domains SET file_path = '/srv/other' WHERE domain_name = $name`, { name: RESERVE }),
    );
    const ended = await move(MAIN, RESERVE);
    expect((await moves.item(ended.id)).error).toBe('transfer.gate_failed');
    expect(moves.writes(MAIN)).toEqual([]);
  });

  test('that failed can be tried again once the reserve answers', async () => {
    moves.troubles[RESERVE] = { status: 502, error: null };
    const { id } = await move(MAIN, RESERVE);
    delete moves.troubles[RESERVE];
    await requeue(id, true);
    const ended = await moves.run(id);
    expect([ended.state, said(ended)]).toEqual(['succeeded', 'transfer.done']);
    expect(await moves.history()).toHaveLength(1);
    expect(await moves.visit(MAIN)).toMatchObject({ status: 200, hosts: [MAIN, RESERVE] });
  });

  test('fails and changes nothing where a foreign redirect rule exists', async () => {
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

  test('with a rejected key stops before anything is touched', async () => {
    moves.fake.state.logins[1]!.api_key = 'changed';
    const ended = await move(MAIN, RESERVE);
    moves.fake.state.logins[1]!.api_key = moves.fake.state.logins[0]!.api_key!;
    expect((await moves.item(ended.id)).error).toBe('provider.credentials');
    expect(moves.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('that is cancelled before its begin makes no calls', async () => {
    const id = await moves.start(MAIN, RESERVE);
    await cancelOperation(id);
    expect((await operationRow(id)).state).toBe('cancelled');
    expect(moves.fake.requests).toEqual([]);
  });
});
