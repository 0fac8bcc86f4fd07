import { transaction } from '../../../db/index.ts';
import { updateRow } from '../../../db/rows.ts';
import { hashPassword, refuseLateSignIn, verifyPassword } from '../../lib/password.ts';
import { users } from '../../shared/access/tables.ts';
import type { PasswordInput } from '../../shared/access/users.ts';
import { AppError } from '../../shared/errors.ts';
import { endSessions } from './devices.ts';
import { deleteChallengesOf } from './factor-rows.ts';
import { findUserByLogin } from './rows.ts';
import type { Signed } from './session.ts';
import { claimAttempt } from './throttle.ts';
import { revokeTokensOf } from './tokens.ts';

/**
 * Throws AppError `refused` unless a password is the caller's, and `too_many` as a sign-in: whoever sits down at an open
 * session must not guess the password there.
 */
export async function confirmPassword(
  { actor }: Signed,
  password: string,
  address: string,
  field: string,
): Promise<void> {
  refuseLateSignIn();
  const claim = await claimAttempt(actor.login, address);
  const user = await findUserByLogin(actor.login);
  const isRight = await verifyPassword(password, user?.password ?? null).catch((error: unknown) => {
    claim.giveBack();
    throw error;
  });
  if (isRight) return claim.forgive();
  throw (
    claim.asStranger ??
    new AppError('refused', 'password.wrong', {}, { code: 'wrong_password', fields: { [field]: 'password.wrong' } })
  );
}

/**
 * Changes the caller's own password and ends, if that is wanted, the other sessions and the API tokens. Throws as
 * `confirmPassword`.
 */
export async function changePassword(
  signed: Signed,
  input: PasswordInput,
  address: string,
): Promise<{ ended: number }> {
  await confirmPassword(signed, input.current, address, 'current');
  const password = await hashPassword(input.password);
  const { actor, session } = signed;
  return transaction(async () => {
    await updateRow(users, actor.id, { password });
    await deleteChallengesOf(actor.id);
    if (input.revoke_tokens) await revokeTokensOf(actor.id);
    return { ended: input.sign_out ? await endSessions(actor, session) : 0 };
  });
}
