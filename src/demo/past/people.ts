import { cancelledItems } from '../../operations/ending.ts';
import type { StoredAct } from '../../shared/operations.ts';
import { DEPLOYED } from '../domains.ts';
import { SERVERS } from '../team.ts';
import type { Move } from './moves.ts';
import { before, HOUR_MS, type Domain } from './time.ts';
import type { Work, WorkItem } from './work.ts';

const WRONG_KEY = {
  key: 'provider.credentials',
  params: { message: 'Unknown X-Auth-Key or X-Auth-Email (9103)' },
} as const;
// The last account has a wrong key.
const REFUSED_ACCOUNT = 3;

const done = (...names: string[]): StoredAct[] => names.map((name) => ({ name, state: 'done' }));
const same = (...names: string[]): StoredAct[] => names.map((name) => ({ name, state: 'noop' }));

/** How a work by items ended, from its items. */
function endingOf(items: readonly WorkItem[]): Pick<Work, 'state' | 'total' | 'done' | 'failed' | 'message'> {
  const count = (state: WorkItem['state']): number => items.filter((item) => item.state === state).length;
  const [changed, noop, failed, cancelled] = [count('done'), count('noop'), count('failed'), count('cancelled')];
  const total = items.length;
  const state = cancelled > 0 ? 'cancelled' : failed === total ? 'failed' : failed > 0 ? 'partial' : 'succeeded';
  return {
    state,
    total,
    done: total - cancelled,
    failed,
    message:
      cancelled > 0
        ? cancelledItems({ done: changed, noop, cancelled, failed })
        : { key: 'operation.items_finished', params: { done: changed, noop, failed } },
  };
}

/** Makes a work by items of a user's. */
export function workOn(
  work: Pick<Work, 'kind' | 'subject' | 'user' | 'door' | 'call' | 'input' | 'at' | 'seconds'>,
  items: WorkItem[],
  other: Partial<Work> = {},
): Work {
  const ending = endingOf(items);
  const steps = [{ name: 'items', done: ending.done, failed: ending.failed }];
  return { ...work, items, steps, ...ending, ...other };
}

const account = (id: number): Pick<WorkItem, 'lane' | 'uses'> => ({
  lane: `cloudflare:${id}`,
  uses: { kind: 'cloudflare_accounts', id },
});

const ACTS = [
  same('check'),
  done('snapshot'),
  same('zone'),
  done('upload'),
  same('unforward', 'dns', 'tls_1_3', 'security_level', 'keep'),
  done('activate'),
  same('gate'),
  done('redirect', 'swap'),
  same('one_rule', 'verify'),
].flat();

/** The operation of a move; `isMoved` false: the reserve did not answer as it should, and everything stayed. */
function transfer({ from, to, at, isAuto, isDoubtful }: Move, isMoved = true): Work {
  const params = { source: from.domain_name, target: to.domain_name };
  const named = ({ id, domain_name: name }: Domain) => ({ id, name, zone: name });
  const item: WorkItem = {
    kind: 'transfer',
    name: from.domain_name,
    lane: `transfer:${from.cloudflare_account_id ?? 1}`,
    uses: { kind: 'cloudflare_accounts', id: from.cloudflare_account_id ?? 1 },
    data: {
      source: named(from),
      target: named(to),
      project_id: to.project_id,
      action: isAuto ? 'auto' : 'explicit',
      force: false,
      source_account: from.cloudflare_account_id,
      target_account: to.cloudflare_account_id,
      copy_dns: true,
      server_id: to.server_id,
      file_path: to.file_path,
      site: 'source',
    },
    state: isMoved ? 'done' : 'failed',
    acts: isMoved ? ACTS : [...same('check'), { name: 'snapshot', state: 'undone' }],
    ...(!isMoved && { error: { key: 'transfer.gate_failed', params: { domain: to.domain_name, what: 'HTTP 503' } } }),
  };
  const seen = { key: 'transfer.redirect_unseen', params: { ...params, seen: 'HTTP 200' } } as const;
  return workOn(
    {
      kind: 'transfer',
      subject: `${from.id} ${to.id}`,
      user: isAuto ? null : from.user_id,
      door: isAuto ? 'schedule' : 'ui',
      call: isAuto ? 'auto_transfer' : 'POST /api/transfer_domains',
      input: { action: isAuto ? 'auto' : 'explicit', pairs: [{ source_id: from.id, target_id: to.id }] },
      at: at - 90_000,
      seconds: 95,
    },
    [item],
    {
      message: !isMoved ? { key: 'transfer.not_moved', params } : isDoubtful ? seen : { key: 'transfer.done', params },
    },
  );
}

/** A change of all zones of a project, of which the account with the wrong key fails. */
function protect(
  kind: 'under_attack' | 'tls',
  domains: readonly Domain[],
  { user, at, input, left = 0 }: { user: number; at: number; input: object; left?: number },
): Work {
  const own = domains.filter((domain) => domain.cloudflare_account_id !== null);
  const items = own.map((domain, index): WorkItem => {
    const id = domain.cloudflare_account_id ?? 1;
    const isRefused = id === REFUSED_ACCOUNT;
    const state = index >= own.length - left ? 'cancelled' : isRefused ? 'failed' : 'done';
    const act = kind === 'tls' ? 'tls_1_3' : 'security_level';
    const { lane, uses } = account(id);
    return {
      kind,
      name: domain.domain_name,
      lane,
      uses,
      data: { zone: domain.domain_name },
      state,
      acts: state === 'done' ? done(act) : [],
      error: state === 'failed' ? WRONG_KEY : undefined,
    };
  });
  const call = kind === 'tls' ? 'POST /api/tls/:state' : 'POST /api/under_attack/:action';
  return workOn({ kind, subject: 'all', user, door: 'ui', call, input, at, seconds: 20 + items.length / 2 }, items);
}

/** A domain that was pointed at its server anew. */
function pointed(domain: Domain, at: number): Work {
  const { domain_name: name, cloudflare_account_id: account_id, server_id, user_id: user } = domain;
  const data = {
    zone: name,
    domain: name,
    type: 'A',
    address: SERVERS[server_id - 1]?.ssh_host ?? '',
    account_id,
    server_id,
    tls: 'on',
    forward_to: null,
    registrar_id: null,
  };
  const acts = [...same('zone'), ...done('dns'), ...same('tls_1_3', 'place')];
  const item: WorkItem = { kind: 'dns', name, ...account(account_id ?? 1), data, state: 'done', acts };
  const asked = { kind: 'dns_change', subject: `${user} ${name}`, user, door: 'ui', call: 'POST /api/dns' } as const;
  return workOn({ ...asked, input: { update_ns: false }, at, seconds: 4 }, [item]);
}

/** A site that was deployed. */
function deployed(domain: Domain, at: number): Work {
  const { id, domain_name: name, server_id, file_path, user_id: user } = domain;
  const item: WorkItem = {
    kind: 'site',
    name,
    lane: `server:${server_id}`,
    uses: { kind: 'servers', id: server_id },
    data: { domain_id: id, domain: name, file_path, release: '' },
    state: 'done',
    acts: [...done('upload', 'activate'), ...same('served', 'prune')],
  };
  const asked = { kind: 'deploy', subject: name, user, door: 'ui', call: 'POST /api/sites/:id' } as const;
  return workOn({ ...asked, input: {}, at, seconds: 9 }, [item], {
    message: { key: 'site.deploy_done', params: { done: 1, noop: 0 } },
  });
}

const hasAccount = ({ cloudflare_account_id: id }: Domain): boolean => id !== null && id !== REFUSED_ACCOUNT;

/** Returns when the site of a domain was deployed, by its place among those that have one. */
export const deployedAt = (turn: number, now: Date): number => before(now, 78 - turn * 5.3);

/** Returns what people have asked for, and the moves that began by themselves. */
export function worksOf(domains: readonly Domain[], moves: readonly Move[], now: Date): Work[] {
  const ago = (days: number): number => before(now, days);
  const of = (project: number): Domain[] => domains.filter(({ project_id }) => project_id === project).slice(0, 40);
  const works: Work[] = moves.filter(({ at }) => at > ago(89)).map((move) => transfer(move));
  // A move that the reserve's answer has stopped, and the same pair's a little later.
  const first = moves.find(({ at, isAuto }) => at > ago(60) && !isAuto);
  if (first) works.push(transfer({ ...first, at: first.at - 3 * HOUR_MS }, false));
  for (const [turn, index] of DEPLOYED.entries()) {
    const domain = domains[index];
    if (domain) works.push(deployed(domain, deployedAt(turn, now)));
  }
  for (const [turn, domain] of domains.filter(hasAccount).slice(20, 32).entries()) {
    works.push(pointed(domain, ago(74 - turn * 6.1)));
  }
  const some = of(2);
  if (some.length > 0) {
    works.push(
      protect('under_attack', some, { user: 1, at: ago(52.3), input: { action: 'enable' } }),
      protect('under_attack', some, { user: 1, at: ago(51.1), input: { action: 'disable' } }),
      protect('tls', of(3), { user: 1, at: ago(33.6), input: { state: 'on' } }),
      protect('tls', of(5), { user: 2, at: ago(20.4), input: { state: 'on' }, left: 12 }),
      protect('tls', of(1), { user: 1, at: ago(1.7), input: { state: 'on' } }),
    );
  }
  return works;
}
