import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, relative } from 'node:path';
import { settingsIn } from '../../lib/settings.ts';
import { packagePath } from '../../lib/package.ts';
import { usageError, type Context } from '../context.ts';
import type { Result } from '../output.ts';
import type { ServeFlags } from './serve.ts';
import type { WorkerFlags } from './worker.ts';

/** The common flags that a unit keeps. */
interface Kept {
  lang?: string;
  quiet?: boolean;
}

// systemd reads it as root, so that it can be root's alone; `-`: it may be missing.
const VARIABLES = '/etc/seo-admin/environment';
const KEY_FILE = 'SEO_ADMIN_KEY_FILE';
const FIRST_FREE_PORT = 1_024;
// The unit has temporary folders of its own.
const TEMPORARY = /^\/(?:tmp|var\/tmp)(?:\/|$)/;
// oxlint-disable-next-line no-control-regex
const UNSPEAKABLE = /[\u0000-\u001F\u007F]/;

/** Writes a word so that systemd reads it back: in quotes where it has to be, `%` being systemd's own. Throws `usage` for control characters. */
function word(text: string): string {
  if (UNSPEAKABLE.test(text)) throw usageError('cli.systemd_path', { path: text });
  const escaped = text.replace(/[\\"]/g, String.raw`\$&`).replaceAll('%', '%%');
  return /^[\w@:.,/=+%-]+$/.test(text) ? escaped : `"${escaped}"`;
}

/** As `word`, for a word after the program: variables are put into those. */
const argument = (text: string): string => word(text).replaceAll('$', '$$$$');

/** As `word`, for a path in a list of paths, where systemd knows quotes, and nothing to escape them. */
function pathWord(path: string): string {
  if (/[\\"]/.test(path)) throw usageError('cli.systemd_path', { path });
  return word(path);
}

const isInside = (path: string, folder: string): boolean => !relative(folder, path).startsWith('..');

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user without a name, as in a container.
    return String(process.getuid?.() ?? 0);
  }
}

/** Says what keeps a unit from its work, or is not in it: the user, missing or hidden folders, settings of this shell. */
function adviseOn(context: Context, name: string, user: string, written: readonly string[]): void {
  const { say, talk, warn } = context;
  const { keyFile } = context.config();
  if (user === 'root') warn(say('cli.systemd_root'));
  for (const path of written) if (!existsSync(path)) warn(say('cli.systemd_no_dir', { dir: path }));
  const hidden = [...written, keyFile, process.execPath, packagePath('')].find((path) => TEMPORARY.test(path));
  if (hidden !== undefined) warn(say('cli.systemd_tmp', { path: hidden }));
  const names = settingsIn(process.env).filter((variable) => variable !== KEY_FILE);
  if (names.length > 0) talk(say('cli.systemd_variables', { file: VARIABLES, names: names.join(', ') }));
  talk(say('cli.systemd_how', { name }));
}

/** Prints a unit that runs these words by this Node and this copy of the program, on this data directory. Reads and writes nothing there. */
function printUnit(context: Context, name: string, words: string[], kept: Kept, lowPort: boolean): Result {
  const { dataDir, keyFile, databaseFile, databaseUrl } = context.config();
  const { lang, quiet } = kept;
  const flags = [...(lang === undefined ? [] : ['--lang', lang]), ...(quiet ? ['--quiet'] : [])];
  const [first = '', ...rest] = words;
  const args = [packagePath('bin/seo-admin.js'), first, '--data-dir', dataDir, ...rest, ...flags];
  const folder = dirname(databaseFile);
  const written = [dataDir, ...(databaseUrl === undefined && !isInside(folder, dataDir) ? [folder] : [])];
  const capabilities = lowPort ? 'CAP_NET_BIND_SERVICE' : '';
  const user = userName();
  const unit = `[Unit]
Description=seo-admin ${first}
Wants=network-online.target
After=network-online.target postgresql.service

[Service]
Type=exec
User=${user}
ExecStart=${[word(process.execPath), ...args.map(argument)].join(' ')}
Environment=${word(`${KEY_FILE}=${keyFile}`)}
EnvironmentFile=-${VARIABLES}
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=2 4
SuccessExitStatus=143
TimeoutStopSec=30
UMask=0077
ReadWritePaths=${written.map(pathWord).join(' ')}
ProtectSystem=strict
ProtectHome=read-only
ProtectProc=invisible
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
PrivateDevices=yes
PrivateTmp=yes
NoNewPrivileges=yes
CapabilityBoundingSet=${capabilities}
AmbientCapabilities=${capabilities}
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target`;
  adviseOn(context, name, user, written);
  return { data: { name: `${name}.service`, unit }, text: unit };
}

/** `serve --print-systemd`. The unit lacks `--open`: a service has no browser. */
export async function printServeUnit(context: Context, flags: ServeFlags & Kept): Promise<Result> {
  const { host, port, scheduler, demo, demoSize, demoFreeze } = flags;
  if (!demo && (demoSize !== undefined || demoFreeze)) throw usageError('demo.alone');
  const words = [
    'serve',
    '--host',
    host,
    '--port',
    String(port),
    ...(scheduler ? [] : ['--no-scheduler']),
    ...(demo ? ['--demo'] : []),
    ...(demoSize === undefined ? [] : ['--demo-size', String(demoSize)]),
    ...(demoFreeze ? ['--demo-freeze'] : []),
  ];
  return printUnit(context, 'seo-admin', words, flags, port > 0 && port < FIRST_FREE_PORT);
}

/** `worker --print-systemd`. */
export async function printWorkerUnit(context: Context, flags: WorkerFlags & Kept): Promise<Result> {
  const { metricsHost, metricsPort, only } = flags;
  const probes =
    metricsPort === undefined ? [] : ['--metrics-port', String(metricsPort), '--metrics-host', metricsHost];
  const isLow = metricsPort !== undefined && metricsPort > 0 && metricsPort < FIRST_FREE_PORT;
  return printUnit(
    context,
    'seo-admin-worker',
    ['worker', ...(only ? ['--only', only.join(',')] : []), ...probes],
    flags,
    isLow,
  );
}
