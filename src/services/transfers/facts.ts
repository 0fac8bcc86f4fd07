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

/** What the list of now says, by name. */
export type Listed = ReadonlyMap<string, Verdict['status']>;

/** Looks up every name that automatic transfer has to do with in these projects. Not inside a transaction. */
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

// What is done to the zones of a whole portfolio at once, and no reason for a main to wait.
const PROTECTION = new Set(['tls', 'under_attack']);

/** The names that running operations work on or have locked, all of them, and those that matter to a main or a project. */
async function namesAtWork(): Promise<Record<'all' | 'mains' | 'transfers', Set<string>>> {
  const rows = await select<{ kind: string; name: string }>(
    `SELECT o.kind, i.item AS name FROM operations o JOIN operation_items i ON i.operation_id = o.id
     WHERE o.state IN ('queued', 'running') AND i.state IN ('queued', 'intent')
     UNION SELECT o.kind, lock.value FROM operations o, json_each(o.locks) lock WHERE o.state IN ('queued', 'running')`,
  );
  const names = { all: new Set<string>(), mains: new Set<string>(), transfers: new Set<string>() };
  for (const { kind, name } of rows) {
    // They say what is done, then to what: `dns example.com`.
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

// What a check of the blocklist has kept of `d`, the newest first, as JSON: the newest three rows that say "blocked" are three looks.
const SEEN = `(SELECT json_group_array(json_object('verdict', c.verdict, 'entry', c.detail, 'list_version', c.list_version,
    'list_fetched_at', c.list_fetched_at))
  FROM (SELECT * FROM checks WHERE domain_id = d.id AND kind = 'blocklist' ORDER BY id DESC LIMIT ${WITNESSES}) c) AS seen`;
// It was blocked, then free, since $since: the newest look of a row that says so counts, as it would by itself.
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
 * The main domains that may move by themselves and are listed as blocked, but were not seen so often enough: those for which the
 * list is to be asked again soon.
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

/** A reserve has failed where a transfer to it has ended within the last day without a row of the history. */
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

/** What was started since the day began, in UTC. What bears a later date counts, so that a clock set back opens nothing. */
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

/** All that the choice for a project rests on, as it stands. */
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
    // A move writes settings and rules of the reserve's zone: one in another's zone is none.
    reserves: found
      .filter(({ domain_name }) => whole.has(zoneNameOf(domain_name)))
      .map((row) => Object.assign(withState(row, atWork.all), { unfit: unfit.reserves.get(row.id) })),
  };
  const moving = [...facts.mains, ...facts.reserves].some(({ domain_name }) => atWork.transfers.has(domain_name));
  return { ...facts, moving, last_reserve: row?.last_reserve ?? 'off', moved: await movedToday(project, now) };
}
