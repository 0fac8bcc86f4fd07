// A private PostgreSQL server on a socket in a temporary folder.
import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../programs.ts';

const OWN_FOLDER = '/usr/lib/postgresql';

/** Returns the folders of the installed versions' programs, newest first. */
const folders = (): string[] =>
  existsSync(OWN_FOLDER)
    ? readdirSync(OWN_FOLDER)
        .toSorted((one, other) => Number(other) - Number(one))
        .map((version) => join(OWN_FOLDER, version, 'bin'))
    : [];

/** Returns the folder of PostgreSQL's programs, installing Debian's package as root; else a message on how to install it. */
function findPostgres(): { path: string } | { missing: string } {
  const places = (): string[] => [...folders(), '/usr/local/pgsql/bin', '/usr/local/bin', '/usr/bin'];
  const program = { debian: 'postgresql', howTo: 'needs PostgreSQL: apt-get install postgresql' };
  // The first call may install a version whose folder is known afterwards only.
  findProgram({ ...program, places: places().map((folder) => join(folder, 'initdb')) });
  const found = places().find((folder) => existsSync(join(folder, 'initdb')));
  return found === undefined ? { missing: program.howTo } : { path: found };
}

/** A running PostgreSQL server with an empty database `postgres`. */
export interface PostgresServer {
  /** Returns the address of a database. It holds no password: whoever may open the folder may connect. */
  address: (database: string) => string;
  /** Ends the server at once, like a crash, and starts it again, after `work`. */
  crash: (work?: () => Promise<void>) => Promise<void>;
  close: () => void;
}

// A server whose durability is not tested need not wait for the disk.
const HASTY = ['fsync = off', 'full_page_writes = off', 'wal_level = minimal', 'max_wal_senders = 0'];
const SETTINGS = [
  "listen_addresses = ''",
  'max_connections = 200',
  'autovacuum = off',
  // Nothing here is asked often enough.
  'jit = off',
  'shared_buffers = 32MB',
  "unix_socket_directories = '.'",
];

// After a crash, one call for the whole file system before the recovery, instead of one for each of a thousand files: half a second for two.
const DURABLE = ['recovery_init_sync_method = syncfs'];

/** Starts a server with some databases. With `durable`, what it has acknowledged survives a crash of the machine. */
export function startPostgres({
  durable = false,
  databases = [],
}: { durable?: boolean; databases?: readonly string[] } = {}): PostgresServer {
  const found = findPostgres();
  if ('missing' in found) throw new Error(found.missing);
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-pg-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  const isRoot = process.getuid?.() === 0;
  // PostgreSQL refuses to run as root.
  const run = (program: string, ...words: string[]): void => {
    const [command = '', ...rest] = isRoot
      ? ['runuser', '-u', 'postgres', '--', join(found.path, program)]
      : [join(found.path, program)];
    execFileSync(command, [...rest, ...words], { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder });
  };
  if (isRoot) {
    const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) =>
      Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
    );
    for (const path of [folder, data]) chownSync(path, uid, gid);
  }
  run(
    'initdb',
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    ...(durable ? [] : ['--no-sync']),
  );
  const settings = [...SETTINGS, ...(durable ? DURABLE : HASTY)].map((line) => line.replace("'.'", `'${folder}'`));
  appendFileSync(join(data, 'postgresql.conf'), `\n${settings.join('\n')}\n`);
  const start = (): void => run('pg_ctl', 'start', '-w', '-D', data, '-l', join(folder, 'log'));
  const stop = (): void => run('pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', data);
  start();
  for (const name of databases) run('createdb', '-h', folder, '-U', 'postgres', name);
  return {
    address: (database) => `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`,
    crash: async (work) => {
      stop();
      await work?.();
      start();
    },
    close: () => {
      stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
