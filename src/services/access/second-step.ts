import { transaction } from '../../../db/index.ts';
import { hashToken, randomToken } from '../../lib/token.ts';
import type { FactorKind, SecondStep } from '../../shared/access/factors.ts';
import { AppError } from '../../shared/errors.ts';
import {
  countChallengeTry,
  deleteChallenge,
  findChallenge,
  insertChallenge,
  setPasskeyUsed,
  type ChallengeUser,
  type Factors,
} from './factor-rows.ts';
import { spendCode } from './factors.ts';
import { CHALLENGE_MS, requestOptions, verifyAssertion } from './passkeys.ts';
import { claimCode } from './throttle.ts';

const MOST_TRIES = 5;

/**
 * Stores that the password of a user was right, and returns the failure that asks for the second factor: it has a challenge for
 * five minutes, and what the browser needs to ask for a passkey.
 */
export async function askSecondFactor(
  user: { id: number },
  { totp, recovery_codes }: Factors,
  origin: string,
): Promise<AppError> {
  const challenge = randomToken();
  const at = Date.now();
  await transaction(() =>
    insertChallenge({
      user_id: user.id,
      kind: 'sign_in',
      token_hash: hashToken(challenge),
      expires_at: new Date(at + CHALLENGE_MS).toISOString(),
      now: new Date(at).toISOString(),
    }),
  );
  const passkey = await requestOptions(user.id, challenge, origin);
  const kinds: FactorKind[] = [];
  if (totp > 0) kinds.push('totp');
  if (passkey) kinds.push('passkey');
  if (recovery_codes > 0) kinds.push('recovery_code');
  const more = { challenge, factors: kinds, passkey };
  return new AppError('bad_login', 'login.second_factor', {}, { code: 'second_factor_required', more });
}

const over = (): AppError => new AppError('bad_login', 'login.challenge_over', {}, { code: 'challenge_over' });
const wrong = (): AppError => new AppError('bad_login', 'factor.wrong_code', {}, { code: 'wrong_code' });

/** Uses the code or the passkey's answer; null: it is wrong. Inside a transaction. */
async function spendFactor(
  user: ChallengeUser,
  { code, assertion }: SecondStep,
  verified: { id: number; counter: number } | null,
): Promise<FactorKind | null> {
  if (assertion === undefined) return spendCode(user.id, code ?? '');
  if (!verified) return null;
  return (await setPasskeyUsed(verified.id, verified.counter, new Date().toISOString())) > 0 ? 'passkey' : null;
}

/**
 * Ends a sign-in by its second factor: `open` is called in the transaction that uses challenge and code up. Throws AppError
 * `bad_login` for a challenge that is over (used, expired, five tries) and for a wrong code, `too_many` as a sign-in.
 */
export async function finishSignIn(
  step: SecondStep,
  address: string,
  origin: string,
  open: (user: ChallengeUser, kind: FactorKind) => Promise<string>,
): Promise<string> {
  const user = await findChallenge('sign_in', hashToken(step.challenge), new Date().toISOString());
  if (!user) throw over();
  const claim = await claimCode(user.login, address);
  const verified = step.assertion ? await verifyAssertion(user.id, step.challenge, step.assertion, origin) : null;
  const token = await transaction(async () => {
    if ((await countChallengeTry(user.challenge_id, MOST_TRIES)) === 0) throw over();
    const kind = await spendFactor(user, step, verified);
    // The counted try is committed.
    if (kind === null) return null;
    await claim.forgive();
    await deleteChallenge(user.challenge_id);
    return open(user, kind);
  });
  if (token === null) throw claim.asStranger ?? wrong();
  return token;
}
