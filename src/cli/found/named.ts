import { AppError, noSuch } from '../../shared/errors.ts';
import type { DomainDetail } from '../../shared/portfolio/domains.ts';
import type { Actor } from '../../services/access/scope.ts';
import type { Context } from '../context.ts';
import { hostOf } from '../names.ts';

// A bare number is no host: it is the id of a domain.
const ID = /^\d{1,15}$/;

/** Finds what each name stands for. Throws one `not_found` that has all the names that are missing, and any other error at once. */
export async function eachFound<T>(names: readonly string[], find: (name: string) => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  const missing: AppError[] = [];
  for (const name of names) {
    try {
      found.push(await find(name));
    } catch (error) {
      if (!(error instanceof AppError && error.kind === 'not_found')) throw error;
      missing.push(error);
    }
  }
  const [first] = missing;
  if (!first) return found;
  const what = [...new Set(missing.map(({ params }) => params['what']))].join(', ');
  throw new AppError('not_found', first.key, { what });
}

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
 * Returns arguments with names of domains in the place of their ids; opens the database for these alone. Throws `not_found` for ids
 * that the actor does not see, and names all of them; `isLenient` leaves them as they are.
 */
export async function namesOf(context: Context, words: string[], isLenient = false): Promise<string[]> {
  const parts = words.flatMap((word) => (/[\s,;]/.test(word) ? word.split(/[\s,;]+/) : word));
  if (!parts.some((part) => ID.test(part))) return words;
  const { actor } = await context.open();
  const nameOf = (id: string): Promise<string> =>
    domainNamed(actor, id).then(({ domain_name }) => domain_name, kept(id, isLenient));
  return eachFound(parts, async (part) => (ID.test(part) ? nameOf(part) : part));
}

const kept =
  (word: string, isLenient: boolean) =>
  (error: unknown): string => {
    if (isLenient && error instanceof AppError && error.kind === 'not_found') return word;
    throw error;
  };
