import { findRow } from '../../../db/rows.ts';
import { projects } from '../../shared/portfolio/tables.ts';
import { config } from '../../lib/config.ts';
import { zoneNameOf } from '../../lib/zone-name.ts';
import type { Verdict } from '../../shared/checks/blocklist.ts';
import type { MainFacts, ProjectFacts, ReserveFacts } from '../../shared/transfers/transfer-pick.ts';
import { isWitnessed, WITNESSES, type Observation } from '../../shared/transfers/witnesses.ts';
import { checkBlocklist } from '../checks/blocklist.ts';
import { takenOn } from '../portfolio/folders.ts';
import { actorOf, wholeZones } from '../access/ownership.ts';
import { SWITCHES } from '../dns/switch-lock.ts';
import {
  countStarted,
  listBlockedMains,
  listListedNames,
  listLocksAtWork,
  listReserves,
  listMainServers,
  listSuspects,
  type ReserveRow,
} from './fact-rows.ts';
import { NOT_LOOKED, type Unfit } from './outside.ts';
import { DAY_MS } from '../../shared/time.ts';

/** Verdicts of the current list, by domain name. */
export type Listed = ReadonlyMap<string, Verdict['status']>;

/** Looks up the reserves and the blocked domains of these projects in the current list. Not inside a transaction. */
export async function lookUp(projects: readonly number[]): Promise<Listed> {
  const { blocklistDir } = config();
  const names = await listListedNames(projects);
  const verdicts = await checkBlocklist(blocklistDir, names);
  return new Map(names.map((name, index) => [name, verdicts[index]?.status ?? 'unknown']));
}

// Work on the zones of a whole portfolio: a move does not wait for it.
const PROTECTION = new Set<string>(SWITCHES);

/** Returns the names of zones and domains that running operations have locked: those that a move waits for, and those of transfers. */
async function namesAtWork(): Promise<Record<'all' | 'transfers', Set<string>>> {
  const names = { all: new Set<string>(), transfers: new Set<string>() };
  for (const { work, kind, name, part } of await listLocksAtWork(SWITCHES)) {
    // A part may be a name in the zone.
    for (const one of [name, part]) {
      if (!PROTECTION.has(kind)) names.all.add(one);
      if (work === 'transfer') names.transfers.add(one);
    }
  }
  return names;
}

type Stored<Facts> = Omit<Facts, 'listed' | 'busy' | 'zone'>;
type StoredReserve = Stored<ReserveFacts> & Pick<ReserveRow, 'server_id' | 'file_path'>;

async function blockedMains(project: number, now: number): Promise<Stored<MainFacts>[]> {
  const rows = await listBlockedMains(project, new Date(now - DAY_MS).toISOString(), WITNESSES);
  return rows.map(({ seen, former, flapped, called_off, ...row }) => {
    const parsed = { observations: JSON.parse(seen) as Observation[], came_from: JSON.parse(former) as number[] };
    return Object.assign(row, parsed, { flapped: flapped === 1, called_off: called_off === 1 });
  });
}

/**
 * Returns the ids of main domains in mode `auto` that the current list blocks but that are not witnessed yet: for them
 * the list is fetched more often.
 */
export async function suspectedMains(now: Date): Promise<number[]> {
  const { blocklistDir } = config();
  const rows = await listSuspects(WITNESSES);
  const unsure = rows.filter(
    ({ domain_name, seen }) => !isWitnessed({ domain_name, observations: JSON.parse(seen) as Observation[] }),
  );
  const names = unsure.map(({ domain_name }) => domain_name);
  const verdicts = names.length === 0 ? [] : await checkBlocklist(blocklistDir, names, now);
  return unsure.flatMap(({ id }, index) => (verdicts[index]?.status === 'blocked' ? [id] : []));
}

/**
 * Reads the reserves of a project. `failed`: an automatic transfer to it that started within the last day ended without
 * a row in transfer_history, and not for a reason of the main domain or at a person's wish.
 */
async function reserves(project: number, now: number): Promise<StoredReserve[]> {
  const rows = await listReserves(project, new Date(now - DAY_MS).toISOString());
  return rows.map(({ failed, blocked_lately, ...row }) =>
    Object.assign(row, { failed: failed === 1, blocked_lately: blocked_lately === 1 }),
  );
}

/**
 * Returns the servers of a project's main domains on which reserves without one would get a folder of another user's, by
 * the reserves' ids.
 */
async function takenServers(
  project: number,
  holder: number,
  rows: readonly Pick<ReserveRow, 'id' | 'domain_name' | 'file_path' | 'server_id'>[],
): Promise<Map<number, number[]>> {
  const lacking = rows.filter(({ server_id }) => server_id === null);
  const taken = new Map<number, number[]>();
  for (const { server_id } of lacking.length > 0 ? await listMainServers(project) : []) {
    const wanted = lacking.map((place) => ({ place: { ...place, server_id }, holder }));
    for (const id of await takenOn(server_id, wanted)) taken.set(id, [...(taken.get(id) ?? []), server_id]);
  }
  return taken;
}

/**
 * Counts the automatic transfers started since the UTC day began. Later dates count as well, so that setting the clock
 * back does not reset the limits.
 */
const movedToday = (project: number, now: number): Promise<ProjectFacts['moved']> =>
  countStarted(project, new Date(now).toISOString().slice(0, 10));

/** Reads the facts that the choice for a project is based on. */
export async function factsOf(
  project: number,
  listed: Listed,
  now: number,
  unfit: Unfit = NOT_LOOKED,
): Promise<ProjectFacts> {
  const row = await findRow(projects, project);
  const atWork = await namesAtWork();
  const withState = <Row extends { domain_name: string }>(row: Row) => {
    const zone = zoneNameOf(row.domain_name);
    const state = { listed: listed.get(row.domain_name) ?? ('unknown' as const), zone };
    return Object.assign(row, { ...state, busy: atWork.all.has(row.domain_name) || atWork.all.has(zone) });
  };
  const found = await reserves(project, now);
  const whole = await wholeZones(
    await actorOf(row?.user_id ?? 0),
    found.map(({ domain_name }) => zoneNameOf(domain_name)),
  );
  const taken = await takenServers(project, row?.user_id ?? 0, found);
  const facts = {
    mains: (await blockedMains(project, now)).map((row) =>
      Object.assign(withState(row), { unfit: unfit.mains.get(row.id) }),
    ),
    // A move writes settings and rules of the reserve's zone: reserves in zones that are not wholly the owner's are
    // left out.
    reserves: found
      .filter(({ domain_name }) => whole.has(zoneNameOf(domain_name)))
      .map((row) => Object.assign(withState(row), { taken_on: taken.get(row.id), unfit: unfit.reserves.get(row.id) })),
  };
  const moving = [...facts.mains, ...facts.reserves].some(({ domain_name }) => atWork.transfers.has(domain_name));
  return { ...facts, moving, last_reserve: row?.last_reserve ?? 'off', moved: await movedToday(project, now) };
}
