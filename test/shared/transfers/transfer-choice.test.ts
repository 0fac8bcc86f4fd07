// Choices of automatic and requested runs in a project.
import { describe, expect, it } from 'vitest';
import { chooseAlone, type MainFacts, type ReserveFacts } from '../../../src/shared/transfers/transfer-pick.ts';
import type { Observation } from '../../../src/shared/transfers/witnesses.ts';
import { alone, asked, main, NOW, project, reserve, seen } from './transfer-facts.ts';

describe('an automatic run', () => {
  it('moves a witnessed main to the picked reserve', () => {
    expect(alone()).toEqual([[1, 'started', 11, 'auto_transfer.chosen']]);
  });

  it.each<[string, Partial<MainFacts>]>([
    ['is no main', { type: 'transfer' }],
    ['is moved by hand', { transfer_type: 'manual' }],
    ['is not blocked', { status: 'available' }],
  ])('leaves a domain alone that %s', (_, change) => {
    expect(alone({ mains: [main(change)] })).toEqual([]);
  });

  it.each<[string, Partial<MainFacts>]>([
    ['main_busy', { busy: true }],
    ['flapping', { flapped: true }],
    ['not_listed', { listed: 'free' }],
    ['not_listed', { listed: 'unknown' }],
    ['seen', { observations: [] }],
  ])('lets a main wait: %s', (reason, change) => {
    expect(alone({ mains: [main(change)] })).toEqual([[1, 'waiting', null, `auto_transfer.${reason}`]]);
  });

  it('reports how many witnesses a waiting main has, and never more than it needs', () => {
    const params = (...observations: Observation[]) =>
      chooseAlone(project({ mains: [main({ observations })] }), NOW)[0]?.reason.params;
    expect(params()).toEqual({ n: 0, of: 3 });
    expect(params(seen(0))).toEqual({ n: 1, of: 3 });
    expect(params(seen(0), seen(0), seen(0), seen(0))).toEqual({ n: 3, of: 3 });
  });

  it('moves one main of a project at a time, and a waiting one does not block the others', () => {
    const three = [main({ id: 3 }), main({ id: 1, observations: [] }), main({ id: 2 })];
    expect(alone({ mains: three }).map(([id, decision]) => [id, decision])).toEqual([
      [1, 'waiting'],
      [2, 'started'],
      [3, 'waiting'],
    ]);
    expect(alone({ moving: true })).toEqual([[1, 'waiting', null, 'auto_transfer.turn']]);
  });

  it('moves at most three domains a day in a project and twenty in all', () => {
    const moved = (inProject: number, overall: number) =>
      alone({ moved: { project: inProject, overall } })[0]?.slice(1);
    expect(moved(2, 19)).toEqual(['started', 11, 'auto_transfer.chosen']);
    expect(moved(3, 3)).toEqual(['declined', null, 'auto_transfer.limit_project']);
    expect(moved(0, 20)).toEqual(['declined', null, 'auto_transfer.limit_overall']);
  });

  it('tries a main domain three times a day where it is at fault itself', () => {
    expect(alone({ mains: [main({ tried: 2 })] })[0]?.slice(1)).toEqual(['started', 11, 'auto_transfer.chosen']);
    expect(alone({ mains: [main({ tried: 3 })] })[0]?.slice(1)).toEqual(['declined', null, 'auto_transfer.limit_main']);
  });

  it('leaves out a reserve whose folder is taken on the server of the main domain, and on no other', () => {
    const reserves = [reserve(11, { taken_on: [1] }), reserve(12), reserve(13)];
    const chosen = (server_id: number | null) => alone({ mains: [main({ server_id })], reserves })[0]?.[2];
    expect([1, 2, null].map(chosen)).toEqual([12, 11, 11]);
    const all = [reserve(11, { taken_on: [1] })];
    expect(alone({ mains: [main({ server_id: 1 })], reserves: all })[0]?.[3]).toBe('auto_transfer.all_folder');
  });

  it('uses the last ready reserve only if the project allows it', () => {
    const reserves = [reserve(11), reserve(12, { listed: 'blocked' })];
    expect(alone({ reserves })).toEqual([[1, 'declined', null, 'auto_transfer.last']]);
    expect(alone({ reserves, last_reserve: 'on' })).toEqual([[1, 'started', 11, 'auto_transfer.chosen']]);
  });

  it('declines a main without a CDN account, as it could not be redirected', () => {
    const mains = [main({ cloudflare_account_id: null })];
    expect(alone({ mains })).toEqual([[1, 'declined', null, 'auto_transfer.main_no_account']]);
    expect(asked({ mains })).toEqual([[1, 'declined', null, 'auto_transfer.main_no_account']]);
  });

  it('reports the common reason where no reserve is ready', () => {
    const none = (...reserves: ReserveFacts[]) => alone({ reserves, last_reserve: 'on' })[0]?.[3];
    expect(none()).toBe('auto_transfer.no_reserve');
    expect(none(reserve(1, { listed: 'unknown' }), reserve(2, { listed: 'unknown' }))).toBe(
      'auto_transfer.all_unknown',
    );
    expect(none(reserve(1, { listed: 'unknown' }), reserve(2, { busy: true }))).toBe('auto_transfer.none_ready');
  });
});

describe('a requested run', () => {
  it('moves every blocked main in any mode and without witnesses, and uses each reserve once', () => {
    const mains = [main({ id: 2, transfer_type: 'manual', observations: [] }), main({ listed: 'unknown' })];
    expect(asked({ mains, reserves: [reserve(11), reserve(12), reserve(13)] })).toEqual([
      [1, 'started', 11, 'auto_transfer.chosen'],
      [2, 'started', 12, 'auto_transfer.chosen'],
    ]);
  });

  it('ignores the limits of automatic runs, and tries failed reserves again', () => {
    expect(asked({ moved: { project: 9, overall: 99 }, moving: true })[0]?.[1]).toBe('started');
    const reserves = [reserve(11, { failed: true }), reserve(12, { failed: true })];
    expect(asked({ reserves })[0]?.slice(1, 3)).toEqual(['started', 11]);
  });

  it('declines a main that is off the list by now or is busy', () => {
    expect(asked({ mains: [main({ listed: 'free' })] })).toEqual([[1, 'declined', null, 'auto_transfer.not_listed']]);
    expect(asked({ mains: [main({ busy: true })] })).toEqual([[1, 'declined', null, 'auto_transfer.main_busy']]);
  });

  it('keeps the last reserve unless the person or the project says otherwise', () => {
    const mains = [main(), main({ id: 2 })];
    expect(asked({ mains }).map(([, decision]) => decision)).toEqual(['started', 'declined']);
    expect(asked({ mains }, true).map(([, decision]) => decision)).toEqual(['started', 'started']);
    expect(asked({ mains, last_reserve: 'on' }).map(([, decision]) => decision)).toEqual(['started', 'started']);
  });
});
