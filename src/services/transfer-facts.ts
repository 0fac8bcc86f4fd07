import { select } from '../../db/index.ts';
import type { Config } from '../lib/config.ts';
import type { Verdict } from '../shared/blocklist.ts';
import type { MainFacts, Observation, ProjectFacts, ReserveFacts } from '../shared/transfer-pick.ts';
import { WITNESSES } from '../shared/transfer-pick.ts';
import { checkBlocklist } from './blocklist.ts';
import { zoneNameOf } from './zones.ts';

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

async function blockedMains(project: number): Promise<Stored<MainFacts>[]> {
  const rows = await select<Stored<MainFacts> & { seen: string; former: string }>(
    `SELECT d.id, d.domain_name, d.type, d.transfer_type, d.status, d.cloudflare_account_id,
       (SELECT json_group_array(json_object('verdict', c.verdict, 'entry', c.detail, 'list_version', c.list_version,
          'list_fetched_at', c.list_fetched_at))
        FROM (SELECT * FROM checks WHERE domain_id = d.id AND kind = 'blocklist' ORDER BY id DESC LIMIT ${WITNESSES}) c) AS seen,
       (SELECT json_group_array(h.main_domain_id) FROM transfer_history h
        WHERE h.transfer_domain_id = d.id AND h.main_domain_id IS NOT NULL) AS former
     FROM domains d
     WHERE d.project_id = $project AND d.type = 'main' AND d.status = 'blocked' AND d.deleted_at IS NULL ORDER BY d.id`,
    { project },
  );
  return rows.map(({ seen, former, ...row }) => {
    const parsed = { observations: JSON.parse(seen) as Observation[], came_from: JSON.parse(former) as number[] };
    return Object.assign(row, parsed);
  });
}

/** A reserve has failed where a transfer to it has ended within the last day without a row of the history. */
async function reserves(project: number, now: number): Promise<Stored<ReserveFacts>[]> {
  const rows = await select<Omit<Stored<ReserveFacts>, 'failed'> & { failed: 0 | 1 }>(
    `SELECT d.id, d.domain_name, d.type, d.transfer_type, d.status, d.expired_at, d.http_status_code, d.http_error,
       EXISTS (SELECT 1 FROM transfer_decisions t JOIN operations o ON o.id = t.operation_id
         WHERE t.target_id = d.id AND t.decision = 'started' AND t.created_at > $since
           AND o.state NOT IN ('queued', 'running') AND NOT EXISTS
             (SELECT 1 FROM transfer_history h WHERE h.operation_id = o.id AND h.transfer_domain_id = d.id)) AS failed
     FROM domains d WHERE d.project_id = $project AND d.type = 'transfer' AND d.deleted_at IS NULL ORDER BY d.id`,
    { project, since: new Date(now - DAY_MS).toISOString() },
  );
  return rows.map(({ failed, ...row }) => Object.assign(row, { failed: failed === 1 }));
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

/** All that the choice for a project rests on, as it stands. */
export async function factsOf(project: number, listed: Listed, now: number): Promise<ProjectFacts> {
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
  const facts = {
    mains: (await blockedMains(project)).map((row) => withState(row, atWork.mains)),
    reserves: (await reserves(project, now)).map((row) => withState(row, atWork.all)),
  };
  const moving = [...facts.mains, ...facts.reserves].some(({ domain_name }) => atWork.transfers.has(domain_name));
  return { ...facts, moving, last_reserve: row?.last_reserve ?? 'off', moved: await movedToday(project, now) };
}
