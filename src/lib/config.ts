import { isAbsolute, join, resolve } from 'node:path';
import type { RegistrarType } from '../shared/accounts/registrar-types.ts';
import type { Language } from '../shared/i18n/index.ts';
import { plainAddress } from '../shared/plain-address.ts';
import { isPostgres } from './database-address.ts';
import { partsOf, readSettings, type Settings } from './settings.ts';

/** A list derived from the registry, one name a line, available in 2026-10; see the providers' notes for others. */
export const DEFAULT_BLOCKLIST_URL = 'https://antifilter.download/list/domains.lst';

const SETTINGS_FILE = 'seo-admin.config.json';

/** The configuration a process runs with. */
export interface Config {
  dataDir: string;
  /** The SQLite file; not used where there is a `databaseUrl`. */
  databaseFile: string;
  /** The address of a PostgreSQL database, with its password: for `openDatabase` only. Undefined: SQLite. */
  databaseUrl?: string;
  keyFile: string;
  /** Seals the key beside a backup. */
  backupPassphrase?: string;
  /** Of so many hours and weeks the last backup stays; the days are set in the schedule. */
  backupKeep: { hours: number; weeks: number };
  /** Where copies of backups go, sealed. Secrets are in files: a password or private key, and `ID SECRET` of S3. */
  backupCopies: {
    folder?: string;
    sftp?: { url: string; hostKey?: string; secretFile?: string };
    s3?: { url: string; region: string; secretFile?: string };
  };
  /** The file of the token that opens `/metrics`; undefined: there is no such page. */
  metricsTokenFile?: string;
  blocklistDir: string;
  blocklistUrl: string;
  publicUrl: string | null;
  trustedProxies: string[];
  logLevel: string;
  /** The language of the command line where neither a flag nor the environment asks for one. */
  language?: Language;
  allowPrivate: boolean;
  connectTo: string;
  dns: string | null;
  /** Address of Cloudflare's API, without a trailing slash. */
  cloudflareUrl: string;
  /** Addresses of registrars that stand for their own. */
  registrarUrls: Partial<Record<RegistrarType, string>>;
  /** How often a registrar may be called, in place of each one's own limits: set by tests only. */
  registrarPace?: { calls: number; seconds: number; atOnce: number; leastPauseMs?: number };
  /** Addresses of the sources of positions that stand for their own. */
  searchUrls: Partial<Record<'xmlriver' | 'arsenkin', string>>;
  /** How often such a source may be called: set by the demo and by tests only, which don't wait long either. */
  searchPace?: { calls: number; seconds: number; atOnce: number };
  /** Servers that stand for those of registries; the pace is set by the demo and by tests only. */
  registry: {
    rdapUrl?: string;
    whoisServer?: string;
    bootstrapUrl?: string;
    pace?: Record<'rdap' | 'whois', { calls: number; seconds: number; atOnce: number }>;
  };
  /**
   * The bot, and the address of Telegram's API; undefined: no bot. The token is a part of each address that is called. `chatMs`
   * is the time between two messages to a chat, in place of Telegram's second: set by tests only.
   */
  telegram?: { token: string; url: string; chatMs?: number };
  /** The certificate authority of the demo's edge, in PEM: set by the demo only, and trusted instead of the usual ones. */
  ca?: string;
  /** Where e-mail is sent, with its login, and from which address; undefined: it is not. */
  mail?: { url: string; from: string };
  /** How long a stop waits for what is under way, in place of `STOP_MS`: set by tests only. */
  stopMs?: number;
  /** Data and outside services are made up, and the product says so. */
  demo: boolean;
}

/** Returns the folder of the person who runs the program: that of the system's list of users where `HOME` names none. */
function homeOf({ HOME = '' }: NodeJS.ProcessEnv): string {
  if (process.platform !== 'win32' && isAbsolute(HOME)) return HOME;
  // Loaded where it is needed: a look-up of ten names in a given folder takes half a millisecond less.
  const { homedir, userInfo } = process.getBuiltinModule('node:os');
  return process.platform === 'win32' ? homedir() : userInfo().homedir;
}

/** Returns the platform's folder for a program's data (XDG, which ignores relative paths; Windows and macOS have their own). */
function platformDataDir(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32' && env['LOCALAPPDATA']) return join(env['LOCALAPPDATA'], 'seo-admin');
  if (process.platform === 'darwin') return join(homeOf(env), 'Library', 'Application Support', 'seo-admin');
  const { XDG_DATA_HOME: folder = '' } = env;
  return join(isAbsolute(folder) ? folder : join(homeOf(env), '.local', 'share'), 'seo-admin');
}

/** Returns what a `DATABASE_URL` configures; a path in it is relative to the data directory. */
export function databaseOf(url: string, dataDir: string): Pick<Config, 'databaseFile' | 'databaseUrl'> {
  const file = join(dataDir, 'seo-admin.sqlite');
  if (isPostgres(url)) return { databaseFile: file, databaseUrl: url };
  return { databaseFile: url === '' ? file : resolve(dataDir, url.replace(/^sqlite:(\/\/)?/, '')) };
}

function copiesOf(known: Settings, dataDir: string): Config['backupCopies'] {
  const fileOf = (path: string | undefined): { secretFile?: string } =>
    path === undefined ? {} : { secretFile: resolve(dataDir, path) };
  const {
    SEO_ADMIN_BACKUP_FOLDER: folder,
    SEO_ADMIN_BACKUP_SFTP: sftp,
    SEO_ADMIN_BACKUP_SFTP_HOST_KEY: hostKey,
    SEO_ADMIN_BACKUP_S3: s3,
    SEO_ADMIN_BACKUP_S3_REGION: region = 'us-east-1',
  } = known;
  const sftpFile = fileOf(known.SEO_ADMIN_BACKUP_SFTP_SECRET_FILE);
  return {
    ...(folder !== undefined && { folder }),
    ...(sftp !== undefined && { sftp: { url: sftp, ...(hostKey !== undefined && { hostKey }), ...sftpFile } }),
    ...(s3 !== undefined && { s3: { url: s3, region, ...fileOf(known.SEO_ADMIN_BACKUP_S3_SECRET_FILE) } }),
  };
}

/**
 * Returns the paths that belong to an installation itself, whether there is something or not: no command writes a file that a person has named over
 * them, nor below them.
 */
export function ownPaths({ dataDir, databaseFile, databaseUrl, keyFile, ...more }: Partial<Config>): string[] {
  const ofDatabase = databaseUrl === undefined && databaseFile !== undefined ? ['', '-wal', '-shm', '-journal'] : [];
  const { sftp, s3 } = more.backupCopies ?? {};
  const settings = dataDir === undefined ? undefined : join(dataDir, SETTINGS_FILE);
  const others = [settings, keyFile, more.blocklistDir, more.metricsTokenFile, sftp?.secretFile, s3?.secretFile];
  return [...ofDatabase.map((suffix) => `${databaseFile}${suffix}`), ...others.filter((path) => path !== undefined)];
}

let current: Config | (() => Config) | undefined;

/** Makes this the configuration of the process: a door calls it before it calls a service. A function is called when it is needed. */
export const useConfig = (given: Config | (() => Config)): void => {
  current = given;
};

/** Returns the configuration of the process. Throws an Error before `useConfig`, and what a function given there throws. */
export function config(): Config {
  if (!current) throw new Error('no configuration: useConfig() comes first');
  return typeof current === 'function' ? current() : current;
}

/**
 * Reads the configuration: flags first, then environment, then `seo-admin.config.json` in the data directory, then defaults.
 * Throws AppError `not_configured` (code `bad_configuration`) with the first unknown key or bad value. Creates nothing.
 */
export function loadConfig(flags: { dataDir?: string | undefined } = {}, env: NodeJS.ProcessEnv = process.env): Config {
  const dataDir = resolve(flags.dataDir || env['SEO_ADMIN_DATA_DIR'] || platformDataDir(env));
  const known = readSettings(join(dataDir, SETTINGS_FILE), env);
  const { DATABASE_URL: databaseUrl = '' } = known;
  return {
    dataDir,
    ...databaseOf(databaseUrl, dataDir),
    keyFile: resolve(dataDir, known.SEO_ADMIN_KEY_FILE ?? 'key'),
    blocklistDir: join(dataDir, 'blocklist'),
    blocklistUrl: known.BLOCKLIST_URL ?? DEFAULT_BLOCKLIST_URL,
    ...(known.SEO_ADMIN_BACKUP_PASSPHRASE !== undefined && { backupPassphrase: known.SEO_ADMIN_BACKUP_PASSPHRASE }),
    backupCopies: copiesOf(known, dataDir),
    backupKeep: {
      hours: Number(known.SEO_ADMIN_BACKUP_KEEP_HOURS ?? 24),
      weeks: Number(known.SEO_ADMIN_BACKUP_KEEP_WEEKS ?? 8),
    },
    ...(known.SEO_ADMIN_METRICS_TOKEN_FILE !== undefined && {
      metricsTokenFile: resolve(dataDir, known.SEO_ADMIN_METRICS_TOKEN_FILE),
    }),
    publicUrl: known.SEO_ADMIN_PUBLIC_URL ?? null,
    trustedProxies: partsOf(known.SEO_ADMIN_TRUSTED_PROXIES ?? '').map(plainAddress),
    logLevel: known.SEO_ADMIN_LOG ?? 'info',
    ...(known.SEO_ADMIN_LANG !== undefined && { language: known.SEO_ADMIN_LANG as Language }),
    allowPrivate: known.SEO_ADMIN_ALLOW_PRIVATE_TARGETS === 'on',
    connectTo: known.SEO_ADMIN_CONNECT_TO ?? '',
    dns: known.SEO_ADMIN_DNS ?? null,
    cloudflareUrl: (known.CLOUDFLARE_API_URL ?? 'https://api.cloudflare.com/client/v4').replace(/\/+$/, ''),
    registrarUrls: {
      ...(known.REGHOUSE_API_URL !== undefined && { 'reghouse.ru': known.REGHOUSE_API_URL }),
      ...(known.EXPIRED_API_URL !== undefined && { 'expired.ru': known.EXPIRED_API_URL }),
      ...(known.REGRU_API_URL !== undefined && { 'reg.ru': known.REGRU_API_URL }),
      ...(known.NAMECHEAP_API_URL !== undefined && { 'namecheap.com': known.NAMECHEAP_API_URL }),
      ...(known.PORKBUN_API_URL !== undefined && { 'porkbun.com': known.PORKBUN_API_URL }),
    },
    searchUrls: {
      ...(known.XMLRIVER_API_URL !== undefined && { xmlriver: known.XMLRIVER_API_URL }),
      ...(known.ARSENKIN_API_URL !== undefined && { arsenkin: known.ARSENKIN_API_URL }),
    },
    registry: {
      ...(known.RDAP_URL !== undefined && { rdapUrl: known.RDAP_URL }),
      ...(known.WHOIS_SERVER !== undefined && { whoisServer: known.WHOIS_SERVER }),
    },
    ...(known.SEO_ADMIN_SMTP_URL !== undefined && {
      mail: {
        url: known.SEO_ADMIN_SMTP_URL,
        from: known.SEO_ADMIN_MAIL_FROM ?? `seo-admin@${new URL(known.SEO_ADMIN_SMTP_URL).hostname}`,
      },
    }),
    ...(known.TELEGRAM_BOT_TOKEN !== undefined && {
      telegram: {
        token: known.TELEGRAM_BOT_TOKEN,
        url: (known.TELEGRAM_API_URL ?? 'https://api.telegram.org').replace(/\/+$/, ''),
      },
    }),
    demo: false,
  };
}
