import { refuseHeld } from '../../operations/queue.ts';
import { AppError } from '../../shared/errors.ts';
import { zoneNameOf } from '../../lib/zone-name.ts';

/** Throws `conflict` where one of the domains is being moved. Inside the transaction of whatever would change them. */
export async function refuseMoving(names: readonly string[]): Promise<void> {
  await refuseHeld(names.map((name) => `domain ${name}`)).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('conflict', 'transfer.locked', error.params, { code: 'domain_locked' });
  });
}

/** The names by which work on a domain alone goes: its site, and its zone where that is its own. */
function worksOn(name: string): string[] {
  const zone = zoneNameOf(name);
  if (zone !== name) return [`site ${name}`, `dns ${zone} ${name}`];
  return [
    `site ${name}`,
    ...['dns', 'tls', 'under_attack', 'rule'].flatMap((kind) => [`${kind} ${name}`, `${kind} ${name} *`]),
  ];
}

/** Throws where one of the domains is being moved, and `busy` where other work holds it. Inside the transaction that deletes them. */
export async function refuseAtWork(names: readonly string[]): Promise<void> {
  await refuseMoving(names);
  await refuseHeld(names.flatMap(worksOn));
}
