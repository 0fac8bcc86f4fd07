// What a value of the configuration may be. No zod here: every command reads the configuration.
import { isPostgres } from './database-address.ts';

/** Returns the check for one of some values. */
export const oneOf =
  (...values: readonly string[]) =>
  (value: string): boolean =>
    values.includes(value);

/** Returns the check by a pattern. */
export const matches =
  (pattern: RegExp) =>
  (value: string): boolean =>
    pattern.test(value);

/** Returns the check for a whole number. */
export const count =
  (least: number, most: number) =>
  (value: string): boolean =>
    /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most;

/** The check of what is checked where it is used. */
export const anything = (): boolean => true;

/** Whether an address can be parsed, its login and password included: an error about them later would repeat them. */
export function isPostgresUrl(value: string): boolean {
  if (!isPostgres(value) || !URL.canParse(value)) return false;
  const { username, password, pathname } = new URL(value);
  try {
    return [username, password, pathname].every((part) => typeof decodeURIComponent(part) === 'string');
  } catch {
    return false;
  }
}

/** Whether a value is the address of a web service. */
export const address = (value: string): boolean => /^https?:\/\/\S+$/.test(value) && URL.canParse(value);

/** Whether a value is the address of a mail server: `smtps://login:password@host:465`. */
export const smtpUrl = (value: string): boolean => /^smtps?:\/\/\S+$/.test(value) && URL.canParse(value);

/** Whether a value is a folder on a server, without a password: `sftp://login@host:22/folder`. */
export function sftpUrl(value: string): boolean {
  if (!/^sftp:\/\/\S+$/.test(value) || !URL.canParse(value)) return false;
  const { username, password, pathname } = new URL(value);
  return username !== '' && password === '' && pathname.startsWith('/') && !/\/\.{1,2}(?:\/|$)/.test(pathname);
}

/** Whether a value is a bucket of a storage, perhaps with a prefix, without a login: `https://host/bucket/prefix`. */
export const bucketUrl = (value: string): boolean =>
  address(value) && /^https?:\/\/[^/@?#]+\/[^/?#]+(?:\/[^?#]*)?$/.test(value);
