import { AppError, noSuch } from '../../shared/errors.ts';
import type { DomainDetail } from '../../shared/portfolio/domains.ts';
import type { Actor } from '../../services/access/scope.ts';
import type { Context } from '../context.ts';
import { hostOf } from '../names.ts';

// A bare number is no host: it is the id of a domain.
const ID = /^\d{1,15}$/;

/** Finds a domain by a typed name or id. Throws `invalid` for a name that is no host, `not_found` for a domain that the actor does not see. */
export async function domainNamed(actor: Actor, typed: string): Promise<DomainDetail> {
  const { findDomain, findDomainByName } = await import('../../services/portfolio/domain-lists.ts');
  if (!ID.test(typed)) return findDomainByName(actor, hostOf(typed));
  return findDomain(actor, Number(typed)).catch((error: unknown) => {
    throw error instanceof AppError && error.kind === 'not_found' ? noSuch('domain', typed) : error;
  });
}

/** Returns the host of a typed name or id; a name need not be in the portfolio. Throws as `domainNamed`. */
export const hostNamed = async (context: Context, typed: string): Promise<string> =>
  ID.test(typed) ? (await domainNamed((await context.open()).actor, typed)).domain_name : hostOf(typed);

/**
 * Returns arguments with names of domains in the place of their ids; opens the database for these alone. Throws `not_found` for an id
 * that the actor does not see; `isLenient` leaves it as it is.
 */
export async function namesOf(context: Context, words: string[], isLenient = false): Promise<string[]> {
  const parts = words.flatMap((word) => (/[\s,;]/.test(word) ? word.split(/[\s,;]+/) : word));
  if (!parts.some((part) => ID.test(part))) return words;
  const { actor } = await context.open();
  const names: string[] = [];
  for (const part of parts) {
    if (!ID.test(part)) names.push(part);
    else names.push(await domainNamed(actor, part).then(({ domain_name }) => domain_name, kept(part, isLenient)));
  }
  return names;
}

const kept =
  (word: string, isLenient: boolean) =>
  (error: unknown): string => {
    if (isLenient && error instanceof AppError && error.kind === 'not_found') return word;
    throw error;
  };
