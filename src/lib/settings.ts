import { existsSync, readFileSync } from 'node:fs';
import { isPassphrase, MASK, SHORTEST_PASSPHRASE, withoutMark } from '../shared/accounts/secrets.ts';
import { AppError } from '../shared/errors.ts';
import { LANGUAGES } from '../shared/i18n/index.ts';
import { isPostgres } from './database-address.ts';
import { parseConnectTo } from './outgoing/connect-to.ts';
import { isIP } from './outgoing/ip-version.ts';
import { parseDnsServer } from './outgoing/name-server.ts';

/** The check of a value; `values` are all that it takes, `least` is the length of a passphrase. */
type Check = ((value: string) => boolean) & { values?: readonly string[]; least?: number };

/** Returns the check for one of some values. */
const oneOf = (...values: readonly string[]) =>
  Object.assign((value: string): boolean => values.includes(value), { values });

/** Returns the check by a pattern. */
const matches =
  (pattern: RegExp) =>
  (value: string): boolean =>
    pattern.test(value);

/** Returns the check for a whole number. */
const count =
  (least: number, most: number) =>
  (value: string): boolean =>
    /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most;

/** Returns the check for what a reader takes without throwing. */
const readable =
  (read: (value: string) => unknown) =>
  (value: string): boolean => {
    try {
      read(value);
      return true;
    } catch {
      return false;
    }
  };

/** Returns the parts of a list with commas or blanks between them. */
export const partsOf = (list: string): string[] => list.split(/[\s,]+/).filter(Boolean);

/** Whether an address can be parsed, its login and password included: an error about them later would repeat them. */
function isPostgresUrl(value: string): boolean {
  if (!isPostgres(value) || !URL.canParse(value)) return false;
  const { username, password, pathname } = new URL(value);
  try {
    return [username, password, pathname].every((part) => typeof decodeURIComponent(part) === 'string');
  } catch {
    return false;
  }
}

/** Whether a value is the address of a web service. */
const address = (value: string): boolean => /^https?:\/\/\S+$/.test(value) && URL.canParse(value);

/** Whether a value is the address of a whole site: nothing is served below a path. */
const siteUrl = (value: string): boolean => address(value) && /^https?:\/\/[^/\\?#@]+\/?$/.test(value);

/** Whether a value is the address of a mail server: `smtps://login:password@host:465`. */
const smtpUrl = (value: string): boolean => /^smtps?:\/\/\S+$/.test(value) && URL.canParse(value);

/** Whether a value is a folder on a server, without a password: `sftp://login@host:22/folder`. */
function sftpUrl(value: string): boolean {
  if (!/^sftp:\/\/\S+$/.test(value) || !URL.canParse(value)) return false;
  const { username, password, pathname } = new URL(value);
  return username !== '' && password === '' && pathname.startsWith('/') && !/\/\.{1,2}(?:\/|$)/.test(pathname);
}

/** Whether a value is a bucket of a storage, perhaps with a prefix, without a login: `https://host/bucket/prefix`. */
const bucketUrl = (value: string): boolean =>
  address(value) && /^https?:\/\/[^/@?#]+\/[^/?#]+(?:\/[^?#]*)?$/.test(value);

/**
 * The variables of the configuration, by their name in the environment and in `seo-admin.config.json`, with the check of a
 * value. The addresses of outside services let a test or the demo point an adapter at another server. No zod here: loading it
 * takes as long as starting Node, and every command reads the configuration.
 */
const SETTINGS = {
  DATABASE_URL: (value: string) => value === '' || /^sqlite:./.test(value) || isPostgresUrl(value),
  SEO_ADMIN_KEY_FILE: matches(/./),
  SEO_ADMIN_BACKUP_PASSPHRASE: Object.assign((value: string) => isPassphrase(value), { least: SHORTEST_PASSPHRASE }),
  SEO_ADMIN_BACKUP_KEEP_HOURS: count(1, 1_000),
  SEO_ADMIN_BACKUP_KEEP_WEEKS: count(0, 1_000),
  SEO_ADMIN_BACKUP_FOLDER: matches(/^(?:\/|[A-Za-z]:\\)./),
  SEO_ADMIN_BACKUP_SFTP: sftpUrl,
  SEO_ADMIN_BACKUP_SFTP_HOST_KEY: matches(/^[\w-]+ SHA256:[\w+/]{43}$/),
  SEO_ADMIN_BACKUP_SFTP_SECRET_FILE: matches(/./),
  SEO_ADMIN_BACKUP_S3: bucketUrl,
  SEO_ADMIN_BACKUP_S3_REGION: matches(/^[\w-]+$/),
  SEO_ADMIN_BACKUP_S3_SECRET_FILE: matches(/./),
  SEO_ADMIN_METRICS_TOKEN_FILE: matches(/./),
  SEO_ADMIN_PUBLIC_URL: siteUrl,
  SEO_ADMIN_TRUSTED_PROXIES: (value: string) => partsOf(value).every((part) => isIP(part) !== 0),
  SEO_ADMIN_LOG: oneOf('silent', 'error', 'warn', 'info', 'debug', 'trace'),
  SEO_ADMIN_LANG: oneOf(...LANGUAGES),
  SEO_ADMIN_ALLOW_PRIVATE_TARGETS: oneOf('on', 'off'),
  SEO_ADMIN_CONNECT_TO: readable(parseConnectTo),
  SEO_ADMIN_DNS: readable(parseDnsServer),
  BLOCKLIST_URL: matches(/^(https?|file):/),
  // A part of each address that is called.
  TELEGRAM_BOT_TOKEN: matches(/^[\w:-]+$/),
  SEO_ADMIN_SMTP_URL: smtpUrl,
  SEO_ADMIN_MAIL_FROM: matches(/^[^\r\n]*@[^\r\n]+$/),
  CLOUDFLARE_API_URL: address,
  REGRU_API_URL: address,
  REGHOUSE_API_URL: address,
  EXPIRED_API_URL: address,
  NAMECHEAP_API_URL: address,
  PORKBUN_API_URL: address,
  XMLRIVER_API_URL: address,
  ARSENKIN_API_URL: address,
  TELEGRAM_API_URL: address,
  RDAP_URL: address,
  WHOIS_SERVER: (value: string) => count(1, 65_535)(/^\S+:(\d+)$/.exec(value)?.[1] ?? ''),
} as const;
type Setting = keyof typeof SETTINGS;
/** The values that are set, as text and checked. */
export type Settings = Partial<Record<Setting, string>>;

const isSetting = (name: string): name is Setting => Object.hasOwn(SETTINGS, name);

/** Returns the values that a setting may have, none where they can't be listed, and the least length of a passphrase. */
export function allowedFor(name: string): { values: readonly string[]; least: number | null } {
  const check: Check | undefined = isSetting(name) ? SETTINGS[name] : undefined;
  return { values: check?.values ?? [], least: check?.least ?? null };
}

// Variables that are read elsewhere: by the command line, and by the drivers of the database.
const OTHER_VARIABLES = ['SEO_ADMIN_DATA_DIR', 'SEO_ADMIN_SQLITE_DRIVER'];

// Those of the tests: nobody is pointed at them.
const INTERNAL_VARIABLES = ['SEO_ADMIN_CRASH_AT', 'SEO_ADMIN_TEST_BROWSER', 'SEO_ADMIN_TEST_FONTS'];

/** Returns what tells a name from the others, however it is written: `log`, `LOG` and `SEO_ADMIN_LOG` are one. */
const stem = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^seo_?admin_?/, '')
    .replace(/[^a-z0-9]/g, '');

/** Throws an AppError with the unknown name and the nearest known one, also where that has its place in the environment alone. */
function refuseUnknown(name: string, where: string): never {
  const known = [...Object.keys(SETTINGS), ...OTHER_VARIABLES];
  const [nearest = ''] = known.toSorted((a, b) => distance(stem(name), stem(a)) - distance(stem(name), stem(b)));
  const params = { name, where, nearest };
  const key = where === 'env' || isSetting(nearest) ? 'config.unknown_key' : 'config.unknown_in_file';
  throw new AppError('not_configured', key, params, { code: 'bad_configuration' });
}

/** Edit distance: the number of letters to insert, delete or replace, and of neighbours to swap. */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of Array.from(one).entries()) {
    const next = [at + 1];
    for (const [index, wanted] of Array.from(other).entries()) {
      const [above = 0, left = 0, corner = 0] = [row[index + 1], next[index], row[index]];
      const isSwapped = at > 0 && index > 0 && letter === other[index - 1] && one[at - 1] === wanted;
      const swapped = isSwapped ? (before[index - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(above + 1, left + 1, corner + (letter === wanted ? 0 : 1), swapped));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}

// Their values are, or may hold, secrets.
const SECRETS: ReadonlySet<string> = new Set<Setting>([
  'DATABASE_URL',
  'SEO_ADMIN_BACKUP_PASSPHRASE',
  'TELEGRAM_BOT_TOKEN',
  'SEO_ADMIN_SMTP_URL',
]);
const LONGEST_SHOWN = 80;

/** Returns a value as an error names it: masked where it may hold a secret, as an address with a login or a query does. */
function shownValue(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (SECRETS.has(name) || /[@?]/.test(text)) return MASK;
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

const badValue = (name: string, where: string, value: unknown): AppError => {
  const params = { name, where, value: shownValue(name, value) };
  return new AppError('not_configured', 'config.bad_value', params, { code: 'bad_configuration' });
};

const badFile = (path: string): AppError =>
  new AppError('not_configured', 'config.not_json', { path }, { code: 'bad_configuration' });

function fromFile(path: string): Settings {
  if (!existsSync(path)) return {};
  let content: unknown;
  try {
    content = JSON.parse(withoutMark(readFileSync(path, 'utf8')));
  } catch (error) {
    throw error instanceof SyntaxError ? badFile(path) : error;
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw badFile(path);
  const settings: Settings = {};
  for (const [name, value] of Object.entries(content)) {
    if (!isSetting(name)) refuseUnknown(name, path);
    if (typeof value !== 'string' || !SETTINGS[name](value)) throw badValue(name, path, value);
    settings[name] = value;
  }
  return settings;
}

/**
 * Returns the settings of a JSON file, which may be absent, with those of the environment above them; an empty variable is none. Throws AppError `not_configured`
 * (code `bad_configuration`) with the first unknown name or bad value.
 */
export function readSettings(path: string, env: NodeJS.ProcessEnv): Settings {
  const isKnown = (name: string): boolean =>
    isSetting(name) || [...OTHER_VARIABLES, ...INTERNAL_VARIABLES].includes(name);
  const unknown = Object.keys(env).find((name) => name.startsWith('SEO_ADMIN_') && !isKnown(name));
  if (unknown !== undefined) refuseUnknown(unknown, 'env');
  const known = fromFile(path);
  for (const name of Object.keys(SETTINGS) as Setting[]) {
    const value = env[name];
    if (value === undefined || value === '') continue;
    if (!SETTINGS[name](value)) throw badValue(name, 'env', value);
    known[name] = value;
  }
  return known;
}

/** The names of the variables of the configuration that an environment sets. */
export const settingsIn = (env: NodeJS.ProcessEnv): string[] => Object.keys(SETTINGS).filter((name) => env[name]);

/** Whether a text is what `DATABASE_URL` takes. */
export const isDatabaseUrl = (value: string): boolean => SETTINGS.DATABASE_URL(value);
