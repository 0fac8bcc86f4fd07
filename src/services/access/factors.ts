import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { seal, unseal } from '../../lib/secret.ts';
import { hashToken, randomCode } from '../../lib/token.ts';
import { newTotpSecret, totpStep, totpUri } from '../../lib/totp.ts';
import {
  FACTOR_POLICIES,
  requiresFactor,
  type FactorKind,
  type FactorPolicy,
  type FactorState,
} from '../../shared/access/factors.ts';
import { AppError } from '../../shared/errors.ts';
import {
  confirmTotpRow,
  deleteChallengesOf,
  deletePasskeysOf,
  deleteRecoveryCodes,
  deleteTotp,
  findFactors,
  findTotp,
  insertRecoveryCodes,
  insertTotp,
  listPasskeyRows,
  setTotpSecret,
  spendRecoveryCode,
  spendTotpStep,
} from './factor-rows.ts';
import { findInstalled, setInstalled } from './rows.ts';
import type { Actor, StillMay } from './scope.ts';
import { claimCode } from './throttle.ts';

/** The value of the installation that says for whom a second factor is required. */
const POLICY = 'second_factor';

const CODES = 10;

type Person = Pick<Actor, 'login' | 'role'> & { id: number };

const now = (): string => new Date().toISOString();

const cellOf = (id: number): `totp_secrets.secret:${number}` => `totp_secrets.secret:${id}`;

/** Audits a change of a user's second factor: which one, never what it is. */
export function noteFactor({ id, login }: Pick<Person, 'id' | 'login'>, after: Record<string, unknown>): void {
  note({ action: 'update', object: 'users', id, name: login, after });
}

/** Returns for whom a second factor is required. */
export async function factorPolicy(): Promise<FactorPolicy> {
  const stored = await findInstalled(POLICY);
  return FACTOR_POLICIES.find((policy) => policy === stored) ?? 'optional';
}

/**
 * Sets for whom a second factor is required: who has none can only add one from then on. Throws AppError `conflict` where the
 * actor has none, who would lock the administration up for everybody.
 */
export async function setFactorPolicy(actor: Person, policy: FactorPolicy): Promise<void> {
  await transaction(async () => {
    const { totp, passkeys } = await findFactors(actor.id);
    if (policy !== 'optional' && totp + passkeys === 0) {
      throw new AppError('conflict', 'factor.yours_first', {}, { code: 'second_factor_first' });
    }
    const before = await factorPolicy();
    if (before === policy) return;
    note({
      action: 'update',
      object: 'installation',
      name: POLICY,
      before: { second_factor: before },
      after: { second_factor: policy },
    });
    await setInstalled(POLICY, policy);
  });
}

/** Returns the caller's second factors. */
export async function factorsOf({ id, role }: Person): Promise<FactorState> {
  const [factors, passkeys, policy] = await Promise.all([findFactors(id), listPasskeyRows(id), factorPolicy()]);
  return {
    totp: factors.totp > 0,
    passkeys: passkeys.map(({ id: key, name, created_at, last_used_at }) => ({
      id: key,
      name,
      created_at,
      last_used_at,
    })),
    recovery_codes: factors.recovery_codes,
    required: requiresFactor(policy, role),
  };
}

const codeHash = (code: string): string => hashToken(`recovery ${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`);

/** Replaces the recovery codes of a user, inside a transaction, and returns the new ones. */
export async function makeRecoveryCodes(user_id: number): Promise<string[]> {
  const codes = Array.from({ length: CODES }, randomCode);
  await deleteRecoveryCodes(user_id);
  await insertRecoveryCodes(user_id, codes.map(codeHash));
  return codes;
}

/** As `makeRecoveryCodes` for the first factor of a user; null: there was one before, whose codes stay. */
export const firstRecoveryCodes = async (user_id: number): Promise<string[] | null> =>
  (await findFactors(user_id)).recovery_codes > 0 ? null : makeRecoveryCodes(user_id);

/** Makes new recovery codes; the former ones end. Without a second factor there are none. */
export const renewRecoveryCodes = (actor: Person): Promise<string[]> =>
  transaction(async () => {
    const { totp, passkeys } = await findFactors(actor.id);
    if (totp + passkeys === 0) return [];
    noteFactor(actor, { recovery_codes: 'changed' });
    return makeRecoveryCodes(actor.id);
  });

/** Makes a secret for an authenticator app, which is used only once a code confirms it. Throws AppError `conflict` where one is in use. */
export async function beginTotp(actor: Person): Promise<{ secret: string; uri: string }> {
  const secret = newTotpSecret();
  await transaction(async () => {
    if ((await findTotp(actor.id))?.confirmed_at) throw new AppError('conflict', 'factor.totp_on');
    await deleteTotp(actor.id);
    const id = await insertTotp(actor.id, now());
    await setTotpSecret(id, seal(cellOf(id), secret));
  });
  return { secret, uri: totpUri(secret, actor.login) };
}

const wrongCode = (): AppError =>
  new AppError('refused', 'factor.wrong_code', {}, { code: 'wrong_code', fields: { code: 'factor.wrong_code' } });

/**
 * Takes an authenticator app into use by one of its codes; returns recovery codes for the first factor. Throws AppError
 * `refused` for a wrong code, `too_many` as a sign-in, and what `still` throws.
 */
export async function confirmTotp(
  actor: Person,
  code: string,
  address: string,
  still: StillMay,
): Promise<string[] | null> {
  const claim = await claimCode(actor.login, address);
  return transaction(async () => {
    await still();
    const row = await findTotp(actor.id);
    if (!row || row.confirmed_at !== null) throw new AppError('conflict', 'factor.totp_not_begun');
    const step = totpStep(unseal(cellOf(row.id), row.secret), code.replace(/\s/g, ''));
    if (step === null) throw claim.asStranger ?? wrongCode();
    await claim.forgive();
    await spendTotpStep(row.id, step);
    const codes = await firstRecoveryCodes(actor.id);
    await confirmTotpRow(row.id, now());
    noteFactor(actor, { second_factor: 'totp' });
    return codes;
  });
}

/** Ends what only serves a second factor, once the last one is gone. Throws AppError `conflict` where one is required. Inside a transaction. */
export async function afterRemoval({ id, role }: Person): Promise<void> {
  const { totp, passkeys } = await findFactors(id);
  if (totp + passkeys > 0) return;
  if (requiresFactor(await factorPolicy(), role)) throw new AppError('conflict', 'factor.required');
  await deleteRecoveryCodes(id);
}

/** Ends the use of the caller's authenticator app. Throws AppError `conflict` where it is the last factor and one is required. */
export const removeTotp = (actor: Person): Promise<void> =>
  transaction(async () => {
    if (!(await findTotp(actor.id))?.confirmed_at) throw new AppError('conflict', 'factor.none');
    await deleteTotp(actor.id);
    await afterRemoval(actor);
    noteFactor(actor, { second_factor: 'totp removed' });
  });

/** Removes the passkeys of a user, inside a transaction, and the recovery codes where no other factor is left. */
export async function removePasskeysOf(user: Pick<Person, 'id' | 'login'>): Promise<void> {
  const { totp, passkeys } = await findFactors(user.id);
  if (passkeys === 0) return;
  await deletePasskeysOf(user.id);
  if (totp === 0) await deleteRecoveryCodes(user.id);
  noteFactor(user, { second_factor: 'passkeys removed' });
}

/** Removes every second factor of a user, inside a transaction. */
export async function removeFactors(user: Pick<Person, 'id' | 'login'>): Promise<void> {
  await deleteTotp(user.id);
  await deletePasskeysOf(user.id);
  await deleteRecoveryCodes(user.id);
  await deleteChallengesOf(user.id);
  noteFactor(user, { second_factor: 'reset' });
}

/** Uses a code of the authenticator app or a recovery code, inside a transaction; null: it is wrong or was used before. */
export async function spendCode(user_id: number, code: string): Promise<FactorKind | null> {
  const typed = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(typed)) {
    return (await spendRecoveryCode(user_id, codeHash(typed), now())) > 0 ? 'recovery_code' : null;
  }
  const row = await findTotp(user_id);
  if (!row || row.confirmed_at === null) return null;
  const step = totpStep(unseal(cellOf(row.id), row.secret), typed);
  return step !== null && (await spendTotpStep(row.id, step)) > 0 ? 'totp' : null;
}
