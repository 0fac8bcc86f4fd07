import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AppError } from '../shared/errors.ts';
import { LANGUAGES } from '../shared/i18n/index.ts';

const oneOf =
  (...values: readonly string[]) =>
  (value: string): boolean =>
    values.includes(value);
const matches =
  (pattern: RegExp) =>
  (value: string): boolean =>
    pattern.test(value);
const anything = (): boolean => true;
const address = (value: string): boolean => /^https?:\/\/\S+$/.test(value) && URL.canParse(value);

/**
 * Every variable of the configuration, by its name in the environment and in `seo-admin.config.json`, and what it takes.
 * The addresses of outside services are there so that a test or the demo can point an adapter at another server. No zod
 * here: loading it takes as long as starting Node, and a check of ten names from a script reads the configuration too.
 */
const SETTINGS = {
  DATABASE_URL: matches(/^sqlite:.+|^$/),
  SEO_ADMIN_KEY_FILE: matches(/./),
  SEO_ADMIN_PUBLIC_URL: address,
  SEO_ADMIN_TRUSTED_PROXIES: anything,
  SEO_ADMIN_LOG: oneOf('silent', 'error', 'warn', 'info', 'debug', 'trace'),
  SEO_ADMIN_LANG: oneOf(...LANGUAGES),
  SEO_ADMIN_ALLOW_PRIVATE_TARGETS: oneOf('on', 'off'),
  SEO_ADMIN_CONNECT_TO: anything,
  SEO_ADMIN_DNS: anything,
  BLOCKLIST_URL: matches(/^(https?|file):/),
  TELEGRAM_BOT_TOKEN: anything,
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
  WHOIS_SERVER: matches(/^\S+:\d+$/),
} as const;
type Setting = keyof typeof SETTINGS;
type Settings = Partial<Record<Setting, string>>;

const isSetting = (name: string): name is Setting => Object.hasOwn(SETTINGS, name);

/** Registry-derived, one name a line, alive in 2026-10; see the providers' notes for the others. */
export const DEFAULT_BLOCKLIST_URL = 'https://antifilter.download/list/domains.lst';

/** The configuration a process runs with. */
export interface Config {
  dataDir: string;
  databaseFile: string;
  keyFile: string;
  blocklistDir: string;
  blocklistUrl: string;
  publicUrl: string | null;
  trustedProxies: string[];
  logLevel: string;
  allowPrivate: boolean;
  connectTo: string;
  dns: string | null;
  /** Where Cloudflare's API answers, without a trailing slash. */
  cloudflareUrl: string;
  /** Everything is made up, and says so: the data, and the services outside. */
  demo: boolean;
}

/** The platform's place for a program's data (XDG; Windows and macOS have their own). */
function platformDataDir(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32' && env['LOCALAPPDATA']) return join(env['LOCALAPPDATA'], 'seo-admin');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'seo-admin');
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'seo-admin');
}

const badValue = (name: string, where: string): AppError =>
  new AppError('not_configured', 'config.bad_value', { name, where }, { code: 'bad_configuration' });

const badFile = (path: string): AppError =>
  new AppError('not_configured', 'config.not_json', { path }, { code: 'bad_configuration' });

function fromFile(path: string): Settings {
  if (!existsSync(path)) return {};
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw badFile(path);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw badFile(path);
  const settings: Settings = {};
  for (const [name, value] of Object.entries(content)) {
    if (!isSetting(name)) {
      const params = { name, where: path };
      throw new AppError('not_configured', 'config.unknown_key', params, { code: 'bad_configuration' });
    }
    if (typeof value !== 'string' || !SETTINGS[name](value)) throw badValue(name, path);
    settings[name] = value;
  }
  return settings;
}

/**
 * Flags, then environment, then `seo-admin.config.json` in the data directory, then the default. Throws an AppError that
 * names the first unknown key or bad value. Reads, creates nothing.
 */
export function loadConfig(flags: { dataDir?: string | undefined } = {}, env: NodeJS.ProcessEnv = process.env): Config {
  const dataDir = resolve(flags.dataDir || env['SEO_ADMIN_DATA_DIR'] || platformDataDir(env));
  const known = fromFile(join(dataDir, 'seo-admin.config.json'));
  for (const name of Object.keys(SETTINGS) as Setting[]) {
    const value = env[name];
    if (value === undefined || value === '') continue;
    if (!SETTINGS[name](value)) throw badValue(name, 'env');
    known[name] = value;
  }
  return {
    dataDir,
    databaseFile: known.DATABASE_URL
      ? resolve(dataDir, known.DATABASE_URL.replace(/^sqlite:(\/\/)?/, ''))
      : join(dataDir, 'seo-admin.sqlite'),
    keyFile: resolve(dataDir, known.SEO_ADMIN_KEY_FILE ?? 'key'),
    blocklistDir: join(dataDir, 'blocklist'),
    blocklistUrl: known.BLOCKLIST_URL ?? DEFAULT_BLOCKLIST_URL,
    publicUrl: known.SEO_ADMIN_PUBLIC_URL ?? null,
    trustedProxies: (known.SEO_ADMIN_TRUSTED_PROXIES ?? '').split(/[\s,]+/).filter(Boolean),
    logLevel: known.SEO_ADMIN_LOG ?? 'info',
    allowPrivate: known.SEO_ADMIN_ALLOW_PRIVATE_TARGETS === 'on',
    connectTo: known.SEO_ADMIN_CONNECT_TO ?? '',
    dns: known.SEO_ADMIN_DNS ?? null,
    cloudflareUrl: (known.CLOUDFLARE_API_URL ?? 'https://api.cloudflare.com/client/v4').replace(/\/+$/, ''),
    demo: false,
  };
}
