import { createHmac, timingSafeEqual } from 'node:crypto';
import { transaction } from '../../../db/index.ts';
import { hashToken, randomToken } from '../../lib/token.ts';
import type { PasskeySignIn } from '../../shared/access/factors.ts';
import { AppError } from '../../shared/errors.ts';
import { findPasskey, setPasskeyUsed, spendChallenge, type PasskeyUser } from './factor-rows.ts';
import { CHALLENGE_MS, rpIdOf, signedChallenge, userHandle, verifySigned } from './passkeys.ts';
import { claimPasskey } from './throttle.ts';

const TOKEN = /^([\w-]{43})\.(\d{13})\.([\w-]{43})$/;

const sealOf = (key: Buffer, random: string, ends: string): string =>
  createHmac('sha256', key).update(`passkey sign-in ${random} ${ends}`).digest('base64url');

/**
 * Begins a sign-in by a passkey alone: returns a challenge, and what the browser needs to ask for any passkey of this address. Stores
 * nothing, because anybody may ask: the challenge is signed and tells its own end.
 */
export function beginPasskeySignIn(key: Buffer, origin: string) {
  const random = randomToken();
  const ends = String(Date.now() + CHALLENGE_MS);
  const challenge = `${random}.${ends}.${sealOf(key, random, ends)}`;
  return {
    challenge,
    options: {
      challenge: signedChallenge(challenge),
      rpId: rpIdOf(origin),
      allowCredentials: [],
      userVerification: 'required' as const,
      timeout: CHALLENGE_MS,
    },
  };
}

/** Returns when a challenge of `beginPasskeySignIn` ends; null: it was not made here, or has ended. */
function endOf(key: Buffer, challenge: string): string | null {
  const [, random = '', ends = '', seal = ''] = TOKEN.exec(challenge) ?? [];
  const right = Buffer.from(sealOf(key, random, ends));
  const given = Buffer.from(seal);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  return Number(ends) > Date.now() ? new Date(Number(ends)).toISOString() : null;
}

const over = (): AppError => new AppError('bad_login', 'login.challenge_over', {}, { code: 'challenge_over' });
const failed = (): AppError => new AppError('bad_login', 'login.passkey_failed', {}, { code: 'passkey_refused' });

/**
 * Ends a sign-in by a passkey alone: `open` is called in the transaction that uses the challenge up. Throws AppError `bad_login` for a
 * challenge that is over or used, for an unknown passkey, a disabled user, another address, a counter that was seen before, and an
 * authenticator that has not verified its user; `too_many` as a sign-in.
 */
export async function finishPasskeySignIn(
  key: Buffer,
  { challenge, assertion }: PasskeySignIn,
  address: string,
  origin: string,
  open: (user: Pick<PasskeyUser, 'id' | 'login' | 'role' | 'telegram'>, passkey: string) => Promise<string>,
): Promise<string> {
  const expires_at = endOf(key, challenge);
  if (expires_at === null) throw over();
  const found = await findPasskey(assertion.id, rpIdOf(origin));
  const claim = await claimPasskey(found?.login ?? '', address);
  const refuse = (): AppError => claim.asStranger ?? failed();
  if (!found || assertion.response['userHandle'] !== userHandle(found.user_id)) throw refuse();
  const verified = await verifySigned(found, challenge, assertion, origin, true);
  if (!verified) throw refuse();
  return transaction(async () => {
    // The user may have been disabled, or the passkey removed, while it was verified.
    const current = await findPasskey(assertion.id, rpIdOf(origin));
    if (!current) throw refuse();
    const now = new Date().toISOString();
    const spent = { user_id: current.user_id, token_hash: hashToken(challenge), expires_at, now };
    if ((await spendChallenge(spent)) === 0) throw over();
    if ((await setPasskeyUsed(verified.id, verified.counter, now)) === 0) throw refuse();
    await claim.forgive();
    return open({ ...current, id: current.user_id }, current.name);
  });
}
