import { createHash } from 'node:crypto';
import { transaction } from '../../../db/index.ts';
import { hashToken, randomToken } from '../../lib/token.ts';
import type { Credential, PasskeyInput } from '../../shared/access/factors.ts';
import type { PasskeyRow } from '../../shared/access/tables.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import {
  deleteChallenge,
  deletePasskeyRow,
  findChallenge,
  insertChallenge,
  insertPasskey,
  listPasskeyRows,
} from './factor-rows.ts';
import { afterRemoval, firstRecoveryCodes, noteFactor } from './factors.ts';
import type { Actor } from './scope.ts';

export const CHALLENGE_MS = 5 * 60_000;
const MOST = 20;
// Ed25519, ECDSA with P-256, RSA.
const ALGORITHMS = [-8, -7, -257];

type Person = Pick<Actor, 'login' | 'role'> & { id: number };

// The library and what it brings take 100 ms to load, and most installations never use it.
const library = () => import('@simplewebauthn/server');

/** Returns what an authenticator has to sign: derived from the token, of which the hash alone is stored. */
export const signedChallenge = (token: string): string =>
  createHash('sha256').update(`webauthn ${token}`).digest('base64url');

/** Returns the name to which the passkeys of an origin are bound. */
export const rpIdOf = (origin: string): string => new URL(origin).hostname;

/** Returns what an authenticator keeps of a user, and gives back where a passkey alone signs in. */
export const userHandle = (id: number): string => Buffer.from(`user ${id}`).toString('base64url');

const transportsOf = ({ transports }: PasskeyRow): string[] => JSON.parse(transports) as string[];

const described = (row: PasskeyRow) => ({
  id: row.credential_id,
  type: 'public-key' as const,
  transports: transportsOf(row),
});

/** Returns what a browser needs to ask for one of a user's passkeys of this address; null: there is none. */
export async function requestOptions(user_id: number, token: string, origin: string) {
  const rpId = rpIdOf(origin);
  const rows = (await listPasskeyRows(user_id)).filter(({ rp_id }) => rp_id === rpId);
  if (rows.length === 0) return null;
  const allowCredentials = rows.map(described);
  return {
    challenge: signedChallenge(token),
    rpId,
    allowCredentials,
    userVerification: 'preferred' as const,
    timeout: CHALLENGE_MS,
  };
}

/** Throws AppError `conflict` for a user who has as many passkeys as one may have. */
function refuseMore(rows: readonly PasskeyRow[]): void {
  if (rows.length >= MOST) throw new AppError('conflict', 'factor.too_many_passkeys', { n: MOST });
}

/** Begins the addition of a passkey: returns a challenge, and what the browser needs to make one. Throws AppError `conflict` for a user with twenty. */
export async function beginPasskey({ id, login }: Person, origin: string) {
  const token = randomToken();
  const rows = await listPasskeyRows(id);
  refuseMore(rows);
  const at = Date.now();
  await transaction(() =>
    insertChallenge({
      user_id: id,
      kind: 'passkey',
      token_hash: hashToken(token),
      expires_at: new Date(at + CHALLENGE_MS).toISOString(),
      now: new Date(at).toISOString(),
    }),
  );
  const options = {
    challenge: signedChallenge(token),
    rp: { name: 'seo-admin', id: rpIdOf(origin) },
    user: { id: userHandle(id), name: login, displayName: login },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' as const })),
    excludeCredentials: rows.map(described),
    authenticatorSelection: { residentKey: 'preferred' as const, userVerification: 'preferred' as const },
    attestation: 'none' as const,
    timeout: CHALLENGE_MS,
  };
  return { challenge: token, options };
}

const refused = (cause?: unknown): AppError =>
  new AppError('refused', 'factor.passkey_refused', {}, { code: 'passkey_refused', cause });

/** Adds a passkey of the caller; returns recovery codes for the first factor. Throws AppError `refused` where the answer does not verify, or the passkey is there already; `conflict` for a user with twenty. */
export async function addPasskey(actor: Person, input: PasskeyInput, origin: string): Promise<string[] | null> {
  const found = await findChallenge('passkey', hashToken(input.challenge), new Date().toISOString());
  if (!found || found.id !== actor.id) throw refused();
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: input.response as unknown as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: signedChallenge(input.challenge),
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    requireUserVerification: false,
  }).catch((error: unknown) => {
    throw refused(error);
  });
  if (!registrationInfo) throw refused();
  const { credential } = registrationInfo;
  return transaction(async () => {
    if ((await deleteChallenge(found.challenge_id)) === 0) throw refused();
    // Others may have been added since this one was begun.
    refuseMore(await listPasskeyRows(actor.id));
    const codes = await firstRecoveryCodes(actor.id);
    const added = await insertPasskey({
      user_id: actor.id,
      name: input.name,
      rp_id: rpIdOf(origin),
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: JSON.stringify(credential.transports ?? []),
      created_at: new Date().toISOString(),
    });
    if (added === 0) throw refused();
    noteFactor(actor, { second_factor: 'passkey', passkey: input.name });
    return codes;
  });
}

/** Removes a passkey of the caller. Throws AppError `not_found`, or `conflict` where it is the last factor and one is required. */
export const removePasskey = (actor: Person, id: number): Promise<void> =>
  transaction(async () => {
    const name = await deletePasskeyRow(actor.id, id);
    if (name === undefined) throw notFound();
    await afterRemoval(actor);
    noteFactor(actor, { second_factor: 'passkey removed', passkey: name });
  });

/** Returns the passkey that has signed a challenge of its user, with its new counter; null: none has. */
export async function verifyAssertion(
  user_id: number,
  token: string,
  assertion: Credential,
  origin: string,
): Promise<{ id: number; counter: number } | null> {
  const rpID = rpIdOf(origin);
  const row = (await listPasskeyRows(user_id)).find((one) => one.credential_id === assertion.id && one.rp_id === rpID);
  return row ? verifySigned(row, token, assertion, origin, false) : null;
}

/** As `verifyAssertion`, for a passkey that is known; `isVerified` demands that the authenticator has verified its user. */
export async function verifySigned(
  row: PasskeyRow,
  token: string,
  assertion: Credential,
  origin: string,
  isVerified: boolean,
): Promise<{ id: number; counter: number } | null> {
  const { verifyAuthenticationResponse } = await library();
  type Options = Parameters<typeof verifyAuthenticationResponse>[0];
  const result = await verifyAuthenticationResponse({
    response: assertion as unknown as Options['response'],
    expectedChallenge: signedChallenge(token),
    expectedOrigin: origin,
    expectedRPID: row.rp_id,
    credential: {
      id: row.credential_id,
      publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
      counter: row.counter,
      transports: transportsOf(row),
    },
    requireUserVerification: isVerified,
  }).catch(() => null);
  return result?.verified ? { id: row.id, counter: result.authenticationInfo.newCounter } : null;
}
