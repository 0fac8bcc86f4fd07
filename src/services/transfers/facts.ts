import { select } from '../../../db/index.ts';
import type { Config } from '../../lib/config.ts';
import { zoneNameOf } from '../../lib/zone-name.ts';
import type { Verdict } from '../../shared/checks/blocklist.ts';
import type { MainFacts, Observation, ProjectFacts, ReserveFacts } from '../../shared/transfers/transfer-pick.ts';
import { isWitnessed, WITNESSES } from '../../shared/transfers/transfer-pick.ts';
import { checkBlocklist } from '../checks/blocklist.ts';
import { actorOf, wholeZones } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { NOT_LOOKED, type Unfit } from './outside.ts';

const DAY_MS = 86_400_000;

/** Verdicts of the current list, by domain name. */
export type Listed = ReadonlyMap<string, Verdict['status']>;

/** Looks up the reserves and the blocked domains of these projects in the current list. Not inside a transaction. */
export async function lookUp({ blocklistDir }: Config, projects: readonly number[]): Promise<Listed> {
  const rows = await select<{ domain_name: string }>(
    `SELECT domain_name FROM domains WHERE deleted_at IS NULL AND project_id IN (SELECT value FROM json_each($projects))
       AND (type = 'transfer' OR status = 'blocked')`,
    { projects: JSON.stringify(projects) },
  );
  const names = rows.map(({ domain_name }) => domain_name);
  const verdicts = await checkBlocklist(blocklistDir, names);
  return new Map(names.map((name, index) => [name, verdicts[index]?.status ?? 'unknown']));
}

// Work on the zones of a whole portfolio: a main does not wait for it.
const PROTECTION = new Set(['tls', 'under_attack']);

/**
 * Returns the names that running operations work on or have locked: all, those that make a main wait, and those of
 * transfers.
 */
async function namesAtWork(): Promise<Record<'all' | 'mains' | 'transfers', Set<string>>> {
  const rows = await select<{ kind: string; name: string }>(
    `SELECT o.kind, i.item AS name FROM operations o JOIN operation_items i ON i.operation_id = o.id
     WHERE o.state IN ('queued', 'running') AND i.state IN ('queued', 'intent')
     UNION SELECT o.kind, lock.value FROM operations o, json_each(o.locks) lock WHERE o.state IN ('queued', 'running')`,
  );
  const names = { all: new Set<string>(), mains: new Set<string>(), transfers: new Set<string>() };
  for (const { kind, name } of rows) {
    // A name is an action and its objects: `dns example.com`.
    const [what = '', ...words] = name.split(' ');
    for (const word of words) {
      names.all.add(word);
      if (!PROTECTION.has(what)) names.mains.add(word);
      if (kind === 'transfer') names.transfers.add(word);
    }
  }
  return names;
}

type Stored<Facts> = Omit<Facts, 'listed' | 'busy' | 'zone'>;

// The newest blocklist checks of `d` as JSON, newest first. The newest three "blocked" rows are never merged with each
// other, so they are three observations.
const SEEN = `(SELECT json_group_array(json_object('verdict', c.verdict, 'entry', c.detail, 'list_version', c.list_version,
    'list_fetched_at', c.list_fetched_at))
  FROM (SELECT * FROM checks WHERE domain_id = d.id AND kind = 'blocklist' ORDER BY id DESC LIMIT ${WITNESSES}) c) AS seen`;
// Blocked, then free, since $since. A merged row counts by its newest look.
const FLAPPED = `EXISTS (SELECT 1 FROM checks f JOIN checks b ON b.domain_id = f.domain_id AND b.id < f.id
  WHERE f.domain_id = d.id AND f.kind = 'blocklist' AND f.verdict <> 'blocked' AND f.checked_at > $since
    AND b.kind = 'blocklist' AND b.verdict = 'blocked' AND b.checked_at > $since) AS flapped`;

async function blockedMains(project: number, now: number): Promise<Stored<MainFacts>[]> {
  const rows = await select<Omit<Stored<MainFacts>, 'flapped'> & { seen: string; former: string; flapped: 0 | 1 }>(
    `SELECT d.id, d.domain_name, d.type, d.transfer_type, d.status, d.cloudflare_account_id, ${SEEN}, ${FLAPPED},
       (SELECT json_group_array(h.main_domain_id) FROM transfer_history h
        WHERE h.transfer_domain_id = d.id AND h.main_domain_id IS NOT NULL) AS former
     FROM domains d
     WHERE d.project_id = $project AND d.type = 'main' AND d.status = 'blocked' AND d.deleted_at IS NULL ORDER BY d.id`,
    { project, since: new Date(now - DAY_MS).toISOString() },
  );
  return rows.map(({ seen, former, flapped, ...row }) => {
    const parsed = { observations: JSON.parse(seen) as Observation[], came_from: JSON.parse(former) as number[] };
    return Object.assign(row, parsed, { flapped: flapped === 1 });
  });
}

/**
 * Returns the ids of main domains in mode `auto` that the current list blocks but that are not witnessed yet: for them
 * the list is fetched more often.
 */
export async function suspectedMains({ blocklistDir }: Config, now: Date): Promise<number[]> {
  const rows = await select<{ id: number; domain_name: string; seen: string }>(
    `SELECT d.id, d.domain_name, ${SEEN} FROM domains d JOIN projects p ON p.id = d.project_id AND p.deleted_at IS NULL
     WHERE d.type = 'main' AND d.transfer_type = 'auto' AND d.status = 'blocked' AND d.deleted_at IS NULL ORDER BY d.id`,
  );
  const unsure = rows.filter(
    ({ domain_name, seen }) => !isWitnessed({ domain_name, observations: JSON.parse(seen) as Observation[] }),
  );
  const names = unsure.map(({ domain_name }) => domain_name);
  const verdicts = names.length === 0 ? [] : await checkBlocklist(blocklistDir, names, now);
  return unsure.flatMap(({ id }, index) => (verdicts[index]?.status === 'blocked' ? [id] : []));
}

/**
 * Reads the reserves of a project. `failed`: an automatic transfer to it that started within the last day ended without
 * a row in transfer_history.
 */
async function reserves(project: number, now: number): Promise<Stored<ReserveFacts>[]> {
  const rows = await select<
    Omit<Stored<ReserveFacts>, 'failed' | 'blocked_lately'> & { failed: 0 | 1; blocked_lately: 0 | 1 }
  >(
    `SELECT d.id, d.domain_name, d.type, d.transfer_type, d.status, d.expired_at, d.http_status_code, d.http_error,
       EXISTS (SELECT 1 FROM transfer_decisions t JOIN operations o ON o.id = t.operation_id
         WHERE t.target_id = d.id AND t.decision = 'started' AND t.created_at > $since
           AND o.state NOT IN ('queued', 'running') AND NOT EXISTS
             (SELECT 1 FROM transfer_history h WHERE h.operation_id = o.id AND h.transfer_domain_id = d.id)) AS failed,
       COALESCE((SELECT min(COALESCE(c.since, c.checked_at)) FROM checks c WHERE c.domain_id = d.id AND c.kind = 'blocklist' AND c.id >
         (SELECT max(id) FROM checks WHERE domain_id = d.id AND kind = 'blocklist' AND verdict = 'blocked')), '') > $since AS blocked_lately
     FROM domains d WHERE d.project_id = $project AND d.type = 'transfer' AND d.deleted_at IS NULL ORDER BY d.id`,
    { project, since: new Date(now - DAY_MS).toISOString() },
  );
  return rows.map(({ failed, blocked_lately, ...row }) =>
    Object.assign(row, { failed: failed === 1, blocked_lately: blocked_lately === 1 }),
  );
}

/**
 * Counts the automatic transfers started since the UTC day began. Later dates count as well, so that setting the clock
 * back does not reset the limits.
 */
async function movedToday(project: number, now: number): Promise<ProjectFacts['moved']> {
  const [row] = await select<ProjectFacts['moved']>(
    `SELECT count(*) AS overall, count(*) FILTER (WHERE d.project_id = $project) AS project
     FROM transfer_decisions t JOIN domains d ON d.id = t.domain_id
     WHERE t.decision = 'started' AND t.created_at >= $day`,
    { project, day: new Date(now).toISOString().slice(0, 10) },
  );
  return row ?? { project: 0, overall: 0 };
}

async function ownerOf(project: number): Promise<Actor> {
  const [row] = await select<{ user_id: number }>('SELECT user_id FROM projects WHERE id = $project', { project });
  return actorOf(row?.user_id ?? 0);
}

/** Reads the facts that the choice for a project is based on. */
export async function factsOf(
  project: number,
  listed: Listed,
  now: number,
  unfit: Unfit = NOT_LOOKED,
): Promise<ProjectFacts> {
  const [row] = await select<Pick<ProjectFacts, 'last_reserve'>>(
    'SELECT last_reserve FROM projects WHERE id = $project',
    {
      project,
    },
  );
  const atWork = await namesAtWork();
  const withState = <Row extends { domain_name: string }>(row: Row, names: ReadonlySet<string>) => {
    const zone = zoneNameOf(row.domain_name);
    const state = { listed: listed.get(row.domain_name) ?? ('unknown' as const), zone };
    return Object.assign(row, { ...state, busy: names.has(row.domain_name) || names.has(zone) });
  };
  const found = await reserves(project, now);
  const whole = await wholeZones(
    await ownerOf(project),
    found.map(({ domain_name }) => zoneNameOf(domain_name)),
  );
  const facts = {
    mains: (await blockedMains(project, now)).map((row) =>
      Object.assign(withState(row, atWork.mains), { unproxied: unfit.mains.has(row.id) }),
    ),
    // A move writes settings and rules of the reserve's zone: reserves in zones that are not wholly the owner's are
    // left out.
    reserves: found
      .filter(({ domain_name }) => whole.has(zoneNameOf(domain_name)))
      .map((row) => Object.assign(withState(row, atWork.all), { unfit: unfit.reserves.get(row.id) })),
  };
  const moving = [...facts.mains, ...facts.reserves].some(({ domain_name }) => atWork.transfers.has(domain_name));
  return { ...facts, moving, last_reserve: row?.last_reserve ?? 'off', moved: await movedToday(project, now) };
}
