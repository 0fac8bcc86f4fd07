import { findRow } from '../../../db/rows.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { Call, Registrar } from '../../providers/provider.ts';
import { isRegistrarType } from '../../shared/accounts/registrar-types.ts';
import { registrars } from '../../shared/accounts/tables.ts';
import { AppError, unknownReference } from '../../shared/errors.ts';
import { toDecimal, toMinor, type Currency } from '../../shared/purchases/money.ts';
import { changeBalance } from '../accounts/registrar-balance.ts';
import { loginOf, registrarFor } from '../accounts/registrar-login.ts';
import { callOf } from '../accounts/registrar-test.ts';

/** A registrar with the login of one account. `call` makes the options of a call. */
export interface Shop {
  id: number;
  type: string;
  registrar: Registrar;
  login: Record<string, string>;
  call: (signal?: AbortSignal) => Call;
}

/** Opens an account at a registrar. Throws AppError `refused` for one that is not there, and `not_configured` where its secret can't be read. */
export async function openShop(id: number): Promise<Shop> {
  const row = await findRow(registrars, id);
  if (!row) throw unknownReference('registrar_id');
  const { type } = row;
  const registrar = registrarFor(row);
  if (!registrar || !isRegistrarType(type)) throw new AppError('refused', 'registrars.type_unknown');
  return { id, type, registrar, login: loginOf(row), call: (signal) => callOf(type, signal) };
}

/** Takes a charge of just now, in the smallest unit, off what an account is known to have left. */
export const noteCharge = (id: number, minor: number, currency: Currency): Promise<void> =>
  changeBalance(id, (known) => {
    const had = known?.currency === currency ? toMinor(known.amount, currency) : null;
    return had === null ? null : { amount: toDecimal(Math.max(0, had - minor), currency), currency };
  });

/** Returns the failure of a service whose turn did not come in time, such as one that allows so many calls an hour. */
export const noTurn = (cause: unknown): ProviderError =>
  new ProviderError('unavailable', 'the call waited for its turn too long', { unsent: true, cause });

/** Asks a service; that its turn did not come is its failure, and no bug. */
export async function asked<T>(answer: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof DOMException ? noTurn(error) : error;
  }
}

const KEPT_MS = 10 * 60_000;

/**
 * Answers of registrars by id and name, in this process, for ten minutes. Some are asked name by name, few in a minute: a request that runs
 * out of time leaves its answers to the next one.
 */
export class KeptAnswers<T> {
  private readonly answers = new Map<string, { at: number; answer: T }>();

  /** Returns the answer about a name that was kept; undefined: there is none. */
  find(registrar: number, name: string): T | undefined {
    const kept = this.answers.get(`${registrar} ${name}`);
    return kept && Date.now() - kept.at < KEPT_MS ? kept.answer : undefined;
  }

  /** Keeps answers by name, and forgets those that are too old. */
  keep(registrar: number, answers: Iterable<readonly [name: string, answer: T]>): void {
    const now = Date.now();
    for (const [key, { at }] of this.answers) if (now - at >= KEPT_MS) this.answers.delete(key);
    for (const [name, answer] of answers) {
      const key = `${registrar} ${name}`;
      if (!this.answers.has(key)) this.answers.set(key, { at: now, answer });
    }
  }

  /** Forgets what was kept about the names. */
  forget(registrar: number, names: Iterable<string>): void {
    for (const name of names) this.answers.delete(`${registrar} ${name}`);
  }
}
