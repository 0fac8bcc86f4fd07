import { transaction } from '../../../db/index.ts';
import { updateRow } from '../../../db/rows.ts';
import { hashPassword, refuseLateSignIn, verifyPassword } from '../../lib/password.ts';
import { users } from '../../shared/access/tables.ts';
import type { PasswordInput } from '../../shared/access/users.ts';
import { AppError } from '../../shared/errors.ts';
import { endSessions } from './devices.ts';
import { deleteChallengesOf } from './factor-rows.ts';
import type { Signed } from './session.ts';
import { claimAttempt } from './throttle.ts';
import { revokeTokensOf } from './tokens.ts';
import type { EndWay } from './user-changes.ts';
import { findUserByLogin } from './users.ts';

/**
 * Returns the hash of the caller's password. Throws AppError `refused` unless a password is the caller's, and `too_many` as a sign-in: whoever sits down at an open
 * session must not guess the password there.
 */
export async function confirmPassword(
  { actor }: Signed,
  password: string,
  address: string,
  field: string,
): Promise<string> {
  refuseLateSignIn();
  const claim = await claimAttempt(actor.login, address, password);
  const user = await findUserByLogin(actor.login);
  const isRight = await verifyPassword(password, user?.password ?? null).catch(async (error: unknown) => {
    await claim.giveBack();
    throw error;
  });
  if (user && isRight) {
    await claim.forgive();
    return user.password;
  }
  throw (
    claim.asStranger ??
    new AppError('refused', 'password.wrong', {}, { code: 'wrong_password', fields: { [field]: 'password.wrong' } })
  );
}

/**
 * Changes the caller's own password and ends, if that is wanted, the other sessions, and the API tokens with what else opens
 * something by a token (a door passes `endFeedOf`). Throws as `confirmPassword`.
 */
export async function changePassword(
  signed: Signed,
  input: PasswordInput,
  address: string,
  ...endOthers: EndWay[]
): Promise<{ ended: number }> {
  const confirmed = await confirmPassword(signed, input.current, address, 'current');
  const password = await hashPassword(input.password);
  const { actor, session } = signed;
  return transaction(async () => {
    // An administrator may have reset it, or disabled the user, while this one was hashed: that must not be undone.
    const current = await findUserByLogin(actor.login);
    if (!current?.active || current.password !== confirmed) throw new AppError('bad_token', 'error.bad_token');
    await updateRow(users, actor.id, { password });
    await deleteChallengesOf(actor.id);
    if (input.revoke_tokens) {
      await revokeTokensOf(actor.id);
      for (const end of endOthers) await end(actor);
    }
    return { ended: input.sign_out ? await endSessions(actor, session) : 0 };
  });
}
