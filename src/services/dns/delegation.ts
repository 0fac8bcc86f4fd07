import type { Act, Change } from '../../operations/flow.ts';
import { Waiting } from '../../operations/waiting.ts';
import type { DelegatedDomain } from '../../providers/provider.ts';
import { registrarOf } from '../../providers/registrars.ts';
import { isRegistrarType } from '../../shared/accounts/registrar-types.ts';
import type { RegistrarRow } from '../../shared/accounts/tables.ts';
import { AppError } from '../../shared/errors.ts';
import type { StoredAct } from '../../shared/operations.ts';
import { minuteOf } from '../../shared/time.ts';
import { zoneNameOf } from '../../lib/zone-name.ts';
import { actorOf } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { loginOf, registrarFor } from '../accounts/registrar-login.ts';
import { callOf } from '../accounts/registrar-test.ts';
import { findDelegating, findRegistrarOf } from './rows.ts';

/** The name of the act that sets the name servers of a domain at its registrar. */
export const NAME_SERVERS = 'name_servers';
const SEEN = 'name_servers_seen';

// Some registrars queue the change, and tell of it minutes later.
const SEEN_WAIT = { everyMs: 15_000, limitMs: 30 * 60_000 };

/** Whose name servers are to be set, and by which registrar's account. */
export interface Delegated {
  domain: string;
  registrar_id: number;
}

/** The stored state of a delegation. */
interface Image {
  domain: string;
  /** Empty: none yet, or those of a zone that is yet to be made. */
  name_servers: readonly string[];
}

/**
 * Returns the registrar by which an actor may set the name servers of a domain: that of the row that holds the registered
 * name itself. Null for a name below it, one that is not the actor's, one without a registrar, and where the registrar's
 * service can't set them: a person has to.
 */
export async function registrarToSet(actor: Actor, domain: string): Promise<number | null> {
  if (zoneNameOf(domain) !== domain) return null;
  const row = await findRegistrarOf(actor, domain);
  if (!row) return null;
  const { readDomain, setNameServers } = registrarOf(row.type) ?? {};
  return readDomain && setNameServers ? row.id : null;
}

const normal = (servers: readonly string[]): string[] =>
  [...new Set(servers.map((server) => server.toLowerCase().replace(/\.$/, '')))].toSorted();

/** Whether two lists of name servers are the same. */
export const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  normal(one).join(' ') === normal(other).join(' ');

const listed = (servers: readonly string[]): string => servers.join(', ');

/** Returns the operation that has entered these name servers of a zone at its registrar, or has found them there; null: none has, as far as is kept. */
export async function enteredBy(zone: string, servers: readonly string[]): Promise<number | null> {
  const row = await findDelegating(zone, NAME_SERVERS);
  const act = row && (JSON.parse(row.acts) as StoredAct[]).find(({ name }) => name === NAME_SERVERS);
  if (!row || !act) return null;
  const isThere = act.state === 'noop' || (act.state === 'done' && isSame((act.after as Image).name_servers, servers));
  return isThere ? row.operation_id : null;
}

/** Returns the registrar's row of a domain; undefined where the domain is no longer the user's, or at another registrar. */
async function rowOf(user_id: number | null, { domain, registrar_id }: Delegated): Promise<RegistrarRow | undefined> {
  const row = await findRegistrarOf(await actorOf(user_id), domain);
  return row?.id === registrar_id ? row : undefined;
}

/** Reads a domain at its registrar; null: it is not in the account. Throws ProviderError. */
async function readAt(row: RegistrarRow, domain: string, signal: AbortSignal): Promise<DelegatedDomain | null> {
  if (!isRegistrarType(row.type)) return null;
  return (await registrarFor(row)?.readDomain?.(loginOf(row), domain, callOf(row.type, signal))) ?? null;
}

/**
 * Reads a domain of an actor's at its registrar. Undefined: it has no registrar, or that one can't tell; `there` is null where the
 * name is not in the account. Throws ProviderError.
 */
export async function readAtRegistrar(
  actor: Actor,
  domain: string,
  signal: AbortSignal,
): Promise<{ registrar: string; there: DelegatedDomain | null } | undefined> {
  if ((await registrarToSet(actor, domain)) === null) return undefined;
  const row = await findRegistrarOf(actor, domain);
  return row && { registrar: row.name, there: await readAt(row, domain, signal) };
}

async function setAt(row: RegistrarRow, { domain, name_servers }: Image, signal: AbortSignal): Promise<void> {
  if (!isRegistrarType(row.type)) throw new Error(`registrar ${row.id} has the type ${row.type}`);
  await registrarFor(row)?.setNameServers?.(loginOf(row), domain, name_servers, callOf(row.type, signal));
}

/** Reads a domain for its act. Throws AppError `conflict` where its registrar has changed, `refused` where it is not there. */
async function lookAt(
  user_id: number | null,
  delegated: Delegated,
  signal: AbortSignal,
): Promise<{ row: RegistrarRow; there: DelegatedDomain }> {
  const { domain } = delegated;
  const row = await rowOf(user_id, delegated);
  if (!row) throw new AppError('conflict', 'dns.ns_moved', { domain });
  const there = await readAt(row, domain, signal);
  if (!there) throw new AppError('refused', 'dns.ns_absent', { domain, registrar: row.name });
  return { row, there };
}

/** Returns the change of name servers that were read. Throws AppError `refused` where the domain is locked. */
function changeTo(row: RegistrarRow, there: DelegatedDomain, wanted: readonly string[], signal: AbortSignal): Change {
  const domain = there.domain_name;
  if (there.locked) throw new AppError('refused', 'dns.ns_locked', { domain, registrar: row.name });
  const before: Image = { domain, name_servers: there.name_servers };
  const after: Image = { domain, name_servers: [...wanted] };
  return { before, after, perform: () => setAt(row, after, signal) };
}

/**
 * Returns the acts that give a registered name the name servers `wanted` at its registrar, and then wait until the registrar
 * tells of them. `wanted` is asked when its turn comes; null, in a plan: those of a zone that is yet to be made. They are
 * never set while the domain is locked, nor where the row has another owner or registrar by then.
 */
export function nameServerActs(
  user_id: number | null,
  delegated: Delegated,
  wanted: () => Promise<readonly string[] | null>,
  signal: AbortSignal,
): [set: Act, seen: Act] {
  const { domain } = delegated;
  let found = false;
  const set: Act = {
    name: NAME_SERVERS,
    class: 'set',
    look: async () => {
      const { row, there } = await lookAt(user_id, delegated, signal);
      const servers = await wanted();
      if (servers?.length === 0) throw new AppError('conflict', 'dns.ns_none', { domain });
      found = servers !== null && isSame(there.name_servers, servers);
      return found ? null : changeTo(row, there, servers ?? [], signal);
    },
  };
  const seen: Act = {
    name: SEEN,
    class: 'read',
    look: async (isOver = false) => {
      if (found) return null;
      const { row, there } = await lookAt(user_id, delegated, signal);
      const servers = (await wanted()) ?? [];
      if (isSame(there.name_servers, servers)) return null;
      const ns = listed(servers);
      if (isOver) throw new AppError('conflict', 'dns.ns_not_taken', { domain, registrar: row.name, ns });
      const say = (until: string) =>
        ({ key: 'dns.ns_waiting', params: { domain, registrar: row.name, until: minuteOf(until) } }) as const;
      throw new Waiting(say, SEEN_WAIT);
    },
  };
  return [set, seen];
}

/**
 * Returns the act that gives a domain its former name servers back, unless somebody has set others since, or the domain is
 * no longer the user's, or is at another registrar. A domain that had none keeps what it has.
 */
export function nameServersBack(
  user_id: number | null,
  delegated: Delegated,
  { before, after }: StoredAct,
  signal: AbortSignal,
): Act {
  const [was, set] = [before as Image, after as Image];
  const read = async (): Promise<{ row: RegistrarRow; there: DelegatedDomain } | null> => {
    const row = await rowOf(user_id, delegated);
    const there = row && (await readAt(row, delegated.domain, signal));
    return there ? { row, there } : null;
  };
  return {
    name: NAME_SERVERS,
    class: 'set',
    look: async () => {
      const at = await read();
      const isOurs = at !== null && was.name_servers.length > 0 && isSame(at.there.name_servers, set.name_servers);
      return isOurs ? changeTo(at.row, at.there, was.name_servers, signal) : null;
    },
    differs: async () => {
      const is = (await read())?.there.name_servers ?? null;
      if (is && isSame(is, was.name_servers)) return [];
      const difference = { name: 'NS', was: listed(was.name_servers), is: is && listed(is) };
      return [was.name_servers.length === 0 || !is ? { ...difference, stays: true } : difference];
    },
  };
}
