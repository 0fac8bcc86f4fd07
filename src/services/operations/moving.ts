import { ALL_PARTS, type Lock } from '../../operations/locks.ts';
import { heldNow, refuseHeld } from '../../operations/queue.ts';
import { AppError } from '../../shared/errors.ts';
import { zoneNameOf } from '../../lib/zone-name.ts';

/**
 * Throws AppError `conflict` where one of the domains is being moved. Only inside the transaction that changes them.
 */
export async function refuseMoving(names: readonly string[]): Promise<void> {
  await refuseHeld(names.map((name) => ({ kind: 'domain', name }))).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('conflict', 'transfer.locked', error.params, { code: 'domain_locked' });
  });
}

/**
 * Returns the locks of work on a domain alone: its site, its name in the zone, or the whole zone where the domain is its
 * own name.
 */
function worksOn(name: string): Lock[] {
  const zone = zoneNameOf(name);
  const site = { kind: 'site', name };
  if (zone !== name) return [site, { kind: 'dns', name: zone, part: name }];
  const kinds = ['dns', 'tls', 'under_attack', 'rule'];
  return [
    site,
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
