import { AppError } from '../../shared/errors.ts';
import { type Actor, isAdmin } from '../access/scope.ts';
import { findHolder } from './rows.ts';

/**
 * Returns the AppError `refused` for a domain, by its id and the name it had, that is not the user's any more: another user has it,
 * or it was renamed or deleted.
 */
export async function lostDomain(actor: Actor, { id, name }: { id: number; name: string }): Promise<AppError> {
  const holder = await findHolder(id);
  const isForeign = holder !== null && holder !== actor.id && !isAdmin(actor);
  return new AppError('refused', isForeign ? 'domain.not_yours' : 'domain.gone', { domain: name });
}
