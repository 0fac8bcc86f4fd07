import { Secret, TOTP } from 'otpauth';

const ISSUER = 'seo-admin';
const SECRET_BYTES = 20;
// A code of the period before or after is accepted: the clock of a phone may be off by so much.
const DRIFT = 1;

/** Returns a new secret for an authenticator app, in base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

const totpOf = (secret: string, login: string): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label: login,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
  });

/** Returns the address (otpauth://) by which an app takes a secret over, for a QR code. */
export const totpUri = (secret: string, login: string): string => totpOf(secret, login).toString();

/** Returns the number of the period that a code is of; null: it is not valid now. */
export function totpStep(secret: string, code: string): number | null {
  // Six characters that are no digits may be more bytes than six, of which the comparison throws.
  if (!/^\d{6}$/.test(code)) return null;
  const totp = totpOf(secret, '');
  const delta = totp.validate({ token: code, window: DRIFT });
  return delta === null ? null : totp.counter() + delta;
}
