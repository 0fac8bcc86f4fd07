// A database of a PostgreSQL server is backed up and restored by its own programs.
import { spawn } from 'node:child_process';
import type { Contents } from '../../../../db/beside.ts';
import { addressBeside, createBeside, dropBeside, sweepBeside, withSnapshot } from '../../../../db/postgres-beside.ts';
import { redact } from '../../../lib/redact.ts';
import { AppError } from '../../../shared/errors.ts';

const MOST_SAID = 4_000;
// Our own secrets are not the programs' business.
const PASSED_ON = /^(?:PG\w+|PATH|HOME|TMPDIR|TEMP|SystemRoot|APPDATA)$/i;

/**
 * Returns an address as PostgreSQL's programs take it in their arguments, and its password apart, for the environment: arguments are seen by
 * every process of the machine.
 */
export function forTools(address: string): { address: string; password: string | undefined } {
  const url = new URL(address);
  const password =
    url.password === '' ? (url.searchParams.get('password') ?? undefined) : decodeURIComponent(url.password);
  url.password = '';
  url.searchParams.delete('password');
  // A word of the driver's alone.
  if (url.searchParams.get('sslmode') === 'no-verify') url.searchParams.set('sslmode', 'require');
  // Spaces, as in `options=-c search_path=own`: PostgreSQL's programs take a plus for itself.
  url.search = url.search.replaceAll('+', '%20');
  return { address: url.href, password };
}

/** Runs a program of PostgreSQL. Throws AppError `not_configured` where it is not installed, `refused` with its own words where it fails. */
async function runTool(program: 'pg_dump' | 'pg_restore', words: readonly string[], database: string): Promise<void> {
  const { address, password } = forTools(database);
  const kept = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  const env = { ...Object.fromEntries(kept), LC_ALL: 'C', ...(password !== undefined && { PGPASSWORD: password }) };
  const child = spawn(program, [...words, '--no-password', '--dbname', address], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (said.length < MOST_SAID) said += chunk.toString('utf8');
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        cause.code === 'ENOENT'
          ? new AppError('not_configured', 'backup.no_tool', { tool: program }, { code: 'no_tool', cause })
          : cause,
      ),
    );
    child.once('close', resolve);
  });
  if (code === 0) return;
  const reason = (password ? said.replaceAll(password, '********') : said).trim().split('\n').slice(0, 3).join(' ');
  throw new AppError(
    'refused',
    'backup.tool_failed',
    { tool: program, reason: redact(reason) },
    { code: 'tool_failed' },
  );
}

/** Dumps a database, as it is at one moment while others write, into a file, and returns what it holds. */
export const dumpInto = (address: string, file: string): Promise<Contents> =>
  withSnapshot(address, async (snapshot, contents) => {
    const words = ['--format=custom', '--no-owner', '--no-privileges', `--snapshot=${snapshot}`, `--file=${file}`];
    await runTool('pg_dump', words, address);
    return contents;
  });

/**
 * Restores a dump into a new database of the server and calls `work` with its address and name. Afterwards it is dropped, unless `work` has
 * put it elsewhere. Before, it drops the databases that killed processes have left.
 */
export async function withRestored<T>(
  address: string,
  file: string,
  work: (beside: string, name: string) => Promise<T>,
): Promise<T> {
  await sweepBeside(address);
  const name = await createBeside(address);
  const beside = addressBeside(address, name);
  try {
    await runTool('pg_restore', ['--no-owner', '--no-privileges', '--exit-on-error', '--jobs=2', file], beside);
    return await work(beside, name);
  } finally {
    await dropBeside(address, name);
  }
}
