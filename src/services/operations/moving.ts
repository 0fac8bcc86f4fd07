import { ALL_PARTS, type Lock } from '../../operations/locks.ts';
import { heldNow, refuseHeld } from '../../operations/queue.ts';
import { AppError } from '../../shared/errors.ts';
import { zoneNameOf } from '../../lib/zone-name.ts';

/** The kind of the locks of names that are being attached. */
export const ATTACH = 'attach';

/**
 * Throws AppError `conflict` where one of the domains takes part in a move, and names it. Only inside the transaction that changes them.
 */
export async function refuseMoving(names: readonly string[]): Promise<void> {
  const lockOf = (name: string): Lock => ({ kind: 'domain', name });
  await refuseHeld(names.map(lockOf)).catch(async (error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    const isHeld = await heldNow();
    const domain = names.find((name) => isHeld([lockOf(name)])) ?? names[0] ?? '';
    throw new AppError('conflict', 'transfer.locked', { ...error.params, domain }, { code: 'domain_locked' });
  });
}

/**
 * Returns the locks of work that makes a name forward to a main domain, besides those on its zone. Many names can be attached to one main domain at
 * once, but none to a name that is being attached itself: of two that would close a circle each would not see the other.
 */
export const attachLocks = ({ domain_name, forward_to }: { domain_name: string; forward_to: string }): Lock[] => [
  { kind: ATTACH, name: forward_to, part: domain_name },
  ...attachingAt(domain_name),
];

/** Returns the locks that meet those of every attaching of a name, or to it. */
const attachingAt = (name: string): Lock[] => [{ kind: ATTACH, name, part: ALL_PARTS }];

/**
 * Throws AppError `busy` where names are being attached to a domain, or it to another one. Only inside the transaction that renames it.
 */
export const refuseAttaching = (name: string): Promise<void> => refuseHeld(attachingAt(name));

/**
 * Returns the locks of work on a domain alone: its site, the names that are being attached to it, its name in the zone, or the whole zone where
 * the domain is its own name.
 */
function worksOn(name: string): Lock[] {
  const zone = zoneNameOf(name);
  const held = [{ kind: 'site', name }, ...attachingAt(name)];
  if (zone !== name) return [...held, { kind: 'dns', name: zone, part: name }];
  const kinds = ['dns', 'tls', 'under_attack', 'rule'];
  return [
    ...held,
    ...kinds.flatMap((kind) => [
      { kind, name },
      { kind, name, part: ALL_PARTS },
    ]),
  ];
}

/**
 * Throws AppError `conflict` where one of the domains is being moved, `busy` where other work holds it. Only inside the
 * transaction that deletes them.
 */
export async function refuseAtWork(names: readonly string[]): Promise<void> {
  await refuseMoving(names);
  await refuseHeld(names.flatMap(worksOn));
}

/**
 * Throws AppError `busy` where work on the site of one of the domains is under way: it writes into the folder that the domain had
 * when it was queued. Only inside the transaction that changes folder or server.
 */
export const refuseSiteWork = (names: readonly string[]): Promise<void> =>
  refuseHeld(names.map((name) => ({ kind: 'site', name })));

/** The holds of running work on domains: `refuseMoving`, `refuseSiteWork` and `refuseAtWork` for many. */
export interface WorkNow {
  isMoving: (name: string) => boolean;
  isSiteAtWork: (name: string) => boolean;
  isAtWork: (name: string) => boolean;
}

/** Returns which domains running work holds. Only inside the transaction that changes them. */
export async function workNow(): Promise<WorkNow> {
  const isHeld = await heldNow();
  const isMoving = (name: string): boolean => isHeld([{ kind: 'domain', name }]);
  const isSiteAtWork = (name: string): boolean => isHeld([{ kind: 'site', name }]);
  return { isMoving, isSiteAtWork, isAtWork: (name) => isMoving(name) || isHeld(worksOn(name)) };
}
