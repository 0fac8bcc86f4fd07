import { setMaxListeners } from 'node:events';
import { findRow } from '../../../db/rows.ts';
import { config } from '../../lib/config.ts';
import { messageFor } from '../../operations/failure.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { RegisteredDomain } from '../../providers/provider.ts';
import { registeredName } from '../../lib/zone-name.ts';
import { zoneOf } from '../../providers/registry.ts';
import { isRegistrarType } from '../../shared/accounts/registrar-types.ts';
import { registrars } from '../../shared/accounts/tables.ts';
import { needsRegistry, type ExpiryFacts, type ExpiryFound } from '../../shared/checks/expiry.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { readBalance } from '../accounts/registrar-balance.ts';
import { loginOf, registrarFor } from '../accounts/registrar-login.ts';
import { callOf } from '../accounts/registrar-test.ts';
import { whileSharing } from './expiry-sharing.ts';
import { lookUpZone, type ZoneAnswer } from './expiry-zone.ts';

/** A host to look up, with what is known of it. */
export interface ExpiryTarget extends ExpiryFacts {
  domain_name: string;
  registrars_id: number | null;
}

/** A run of look-ups. */
export interface ExpiryRun<T extends ExpiryTarget> {
  targets: readonly T[];
  signal: AbortSignal;
  /** The registry is asked for every name, however young its last answer is. */
  isForced?: true;
  /** Whether a target has still to be looked up, right before its registry is asked. */
  isOpen: (targets: readonly T[]) => Promise<boolean>;
  /** Gets the end of each look-up; null: another run has looked the target up meanwhile. */
  onFound: (target: T, found: ExpiryFound | null) => void;
}

// A list of thousands of domains has many pages.
const LIST_PATIENCE_MS = 300_000;
const BALANCE_PATIENCE_MS = 10_000;

/** A target that waits for its registry, and what its registrar has told. */
interface Waiting<T> {
  target: T;
  found: ExpiryFound;
}

/**
 * Looks registrations up: each registrar is asked once, for the list of its domains, and tells of the targets that use it; then
 * each registry for the names that are left, once for all hosts below a registered name. No server waits for another.
 * Returns early once `signal` has fired.
 */
export const lookUpExpiries = <T extends ExpiryTarget>(run: ExpiryRun<T>): Promise<void> =>
  whileSharing(() => lookUpAll(run));

async function lookUpAll<T extends ExpiryTarget>(run: ExpiryRun<T>): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([run.signal, stop.signal]);
  // Every zone and every call that waits listens.
  setMaxListeners(0, signal);
  const desk = deskOf({ ...run, signal });
  const byRegistrar = new Map<number | null, T[]>();
  for (const target of run.targets) {
    const same = byRegistrar.get(target.registrars_id);
    if (same) same.push(target);
    else byRegistrar.set(target.registrars_id, [target]);
  }
  const ends = await Promise.allSettled(
    [...byRegistrar].map(([id, targets]) =>
      lookUpGroup({ ...run, signal }, desk, id, targets).catch((error: unknown) => {
        stop.abort();
        throw error;
      }),
    ),
  );
  const broken = ends.find((end) => end.status === 'rejected');
  if (broken) throw broken.reason;
}

/** Rethrows an error unless the service failed or did not answer in time. */
function ignoreService(error: unknown): void {
  if (!(error instanceof ProviderError) && !(error instanceof DOMException)) throw error;
}

/** Returns what a registrar's list says, by name, or why it says nothing. */
async function readList(id: number, signal: AbortSignal): Promise<Map<string, RegisteredDomain> | Message> {
  try {
    const row = await findRow(registrars, id);
    const registrar = row && registrarFor(row);
    if (!row || !registrar?.listDomains || !isRegistrarType(row.type)) return new Map();
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LIST_PATIENCE_MS)]);
    const login = loginOf(row);
    const list = await registrar.listDomains(login, callOf(row.type, limit));
    // Its list is what was asked for: a balance that does not come soon is read at the next run.
    const soon = AbortSignal.any([limit, AbortSignal.timeout(BALANCE_PATIENCE_MS)]);
    await readBalance({ id, registrar, login }, callOf(row.type, soon)).catch(ignoreService);
    return new Map(list.map((domain) => [domain.domain_name, domain]));
  } catch (error) {
    if (signal.aborted) return new Map();
    if (error instanceof DOMException) return { key: 'expiry.registrar_slow' };
    const reason = messageFor(error);
    if (!reason) throw error;
    return reason;
  }
}

/** Asks a registrar, and the registries for what it does not tell, or what is worth a second opinion. */
async function lookUpGroup<T extends ExpiryTarget>(
  run: ExpiryRun<T>,
  desk: Desk<T>,
  registrarId: number | null,
  targets: readonly T[],
): Promise<void> {
  const list = registrarId === null ? new Map<string, RegisteredDomain>() : await readList(registrarId, run.signal);
  if (run.signal.aborted) return;
  const error = list instanceof Map ? undefined : list;
  const open: { name: string; waiting: Waiting<T> }[] = [];
  const now = Date.now();
  for (const target of targets) {
    const name = registeredName(target.domain_name);
    const listed = list instanceof Map ? (list.get(target.domain_name) ?? list.get(name ?? '')) : undefined;
    const found: ExpiryFound = { ...(listed && { registrar: listed }), error };
    const isAsked = run.isForced || needsRegistry(target, listed?.expires_at ?? null, now);
    if (name !== null && isAsked) open.push({ name, waiting: { target, found } });
    else if (listed?.expires_at) run.onFound(target, found);
    else run.onFound(target, { ...found, error: error ?? noRegistryFor(target.domain_name) });
  }
  await desk.ask(open);
}

const noRegistryFor = (host: string): Message => ({ key: 'expiry.no_registry', params: { zone: host } });

interface Desk<T> {
  ask: (open: readonly { name: string; waiting: Waiting<T> }[]) => Promise<void>;
}

/** Makes the desk of a run, which asks for each registered name once, whichever of its registrars' domains wait for it. */
function deskOf<T extends ExpiryTarget>({ signal, isOpen, onFound }: ExpiryRun<T>): Desk<T> {
  const waitingFor = new Map<string, Waiting<T>[]>();
  const answers = new Map<string, ZoneAnswer | null>();
  const settle = ({ target, found }: Waiting<T>, answer: ZoneAnswer | null): void => {
    if (answer === null) onFound(target, null);
    else if ('answer' in answer) onFound(target, { ...found, registry: answer.answer });
    // The registrar's answer is kept if the registry fails.
    else onFound(target, { ...found, error: found.error ?? answer.error });
  };
  const settleAll = (name: string, answer: ZoneAnswer | null): void => {
    answers.set(name, answer);
    const waiting = waitingFor.get(name) ?? [];
    waitingFor.delete(name);
    for (const one of waiting) settle(one, answer);
  };
  const options = config();
  const zoneRun = {
    options: { ...options.registry, allowPrivate: options.allowPrivate },
    signal,
    isOpen: async (name: string) => {
      const waiting = waitingFor.get(name) ?? [];
      if (await isOpen(waiting.map(({ target }) => target))) return true;
      settleAll(name, null);
      return false;
    },
    onAnswer: settleAll,
  };
  /** Notes who waits for a name; true for the first, who is to ask. */
  const join = (name: string, waiting: Waiting<T>): boolean => {
    const answer = answers.get(name);
    const others = waitingFor.get(name);
    if (answer !== undefined) settle(waiting, answer);
    else if (others) others.push(waiting);
    else waitingFor.set(name, [waiting]);
    return answer === undefined && others === undefined;
  };
  return {
    ask: async (open) => {
      const zones = new Map<string, string[]>();
      for (const { name, waiting } of open) {
        if (!join(name, waiting)) continue;
        const names = zones.get(zoneOf(name));
        if (names) names.push(name);
        else zones.set(zoneOf(name), [name]);
      }
      await Promise.all([...zones].map(([zone, names]) => lookUpZone(zoneRun, zone, names)));
    },
  };
}
