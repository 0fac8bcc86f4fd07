import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { AppError } from '../shared/errors.ts';
import { LANGUAGES } from '../shared/i18n/index.ts';

const Switch = z.enum(['on', 'off']);
const Address = z.string().regex(/^https?:\/\/[^\s]+$/);

/**
 * Every variable of the configuration, by its name in the environment and in `seo-admin.config.json`. The addresses of
 * outside services are there so that a test or the demo can point an adapter at another server.
 */
const Settings = z.object({
  DATABASE_URL: z.string().regex(/^sqlite:.+|^$/),
  SEO_ADMIN_KEY_FILE: z.string().min(1),
  SEO_ADMIN_PUBLIC_URL: Address,
  SEO_ADMIN_TRUSTED_PROXIES: z.string(),
  SEO_ADMIN_LOG: z.enum(['silent', 'error', 'warn', 'info', 'debug', 'trace']),
  SEO_ADMIN_LANG: z.enum(LANGUAGES),
  SEO_ADMIN_ALLOW_PRIVATE_TARGETS: Switch,
  SEO_ADMIN_CONNECT_TO: z.string(),
  SEO_ADMIN_DNS: z.string(),
  BLOCKLIST_URL: z.string().regex(/^(https?|file):/),
  TELEGRAM_BOT_TOKEN: z.string(),
  CLOUDFLARE_API_URL: Address,
  REGRU_API_URL: Address,
  REGHOUSE_API_URL: Address,
  EXPIRED_API_URL: Address,
  NAMECHEAP_API_URL: Address,
  PORKBUN_API_URL: Address,
  XMLRIVER_API_URL: Address,
  ARSENKIN_API_URL: Address,
  TELEGRAM_API_URL: Address,
  RDAP_URL: Address,
  WHOIS_SERVER: z.string().regex(/^\S+:\d+$/),
});
const FileSettings = Settings.partial().strict();

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
}

/** The platform's place for a program's data (XDG; Windows and macOS have their own). */
function platformDataDir(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32' && env['LOCALAPPDATA']) return join(env['LOCALAPPDATA'], 'seo-admin');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'seo-admin');
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'seo-admin');
}

const badValue = (name: string, where: string): AppError =>
  new AppError('not_configured', 'config.bad_value', { name, where }, { code: 'bad_configuration' });

function fromFile(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {};
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new AppError('not_configured', 'config.not_json', { path }, { code: 'bad_configuration' });
  }
  const parsed = FileSettings.safeParse(content);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    throw new AppError(
      'not_configured',
      'config.unknown_key',
      { name: issue.keys.join(', '), where: path },
      { code: 'bad_configuration' },
    );
  }
  throw badValue(String(issue?.path[0] ?? ''), path);
}

/**
 * Flags, then environment, then `seo-admin.config.json` in the data directory, then the default. Throws an AppError that
 * names the first unknown key or bad value. Reads, creates nothing.
 */
export function loadConfig(flags: { dataDir?: string | undefined } = {}, env: NodeJS.ProcessEnv = process.env): Config {
  const dataDir = resolve(flags.dataDir || env['SEO_ADMIN_DATA_DIR'] || platformDataDir(env));
  const settings: Record<string, unknown> = fromFile(join(dataDir, 'seo-admin.config.json'));
  for (const name of Object.keys(Settings.shape)) {
    const value = env[name];
    if (value === undefined || value === '') continue;
    if (!Settings.shape[name as keyof typeof Settings.shape].safeParse(value).success) throw badValue(name, 'env');
    settings[name] = value;
  }
  const known = settings as Partial<z.infer<typeof Settings>>;
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
  };
}
