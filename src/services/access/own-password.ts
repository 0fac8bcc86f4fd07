import { verifyPassword } from '../../lib/password.ts';
import { AppError } from '../../shared/errors.ts';
import { findUserByLogin } from './rows.ts';
import type { Actor } from './scope.ts';
import { claimAttempt } from './throttle.ts';

/**
 * Throws unless the password is the actor's own: `refused` (code `wrong_password`, field `password`), `too_many` where it is guessed
 * at: tries count as those of signing in.
 */
export async function provePassword({ login }: Actor, password: string | undefined, address: string): Promise<void> {
  const refusal = () =>
    new AppError(
      'refused',
      'user.wrong_password',
      {},
      {
        code: 'wrong_password',
        fields: { password: 'user.wrong_password' },
      },
    );
  if (password === undefined || password === '') throw refusal();
  const claim = await claimAttempt(login, address);
  const user = await findUserByLogin(login);
  const right = await verifyPassword(password, user?.password ?? null).catch((error: unknown) => {
    claim.giveBack();
    throw error;
  });
  if (!right) throw claim.asStranger ?? refusal();
  claim.forgive();
}
