import { existsSync } from 'node:fs';
import { closeDatabase, openDatabase } from '../../../../db/index.ts';
import { loadConfig, useConfig } from '../../../lib/config.ts';
import { databaseAddress } from '../../../lib/database-address.ts';
import { runningDemo } from '../../../lib/running-demo.ts';
import { SYSTEM } from '../../../services/access/scope.ts';
import { actorOf } from '../../../services/access/users.ts';
import { COMPLETED, listCompletions } from '../../../services/portfolio/completion-rows.ts';
import { harmless } from '../../output.ts';

// Who presses Tab does not wait for a database that another process has locked.
const PATIENCE_MS = 200;
// Nor for a server that does not answer.
const LONGEST_MS = 1_500;

const valueOf = (line: readonly string[], flag: string): string | undefined => {
  const at = line.lastIndexOf(flag);
  return at === -1 ? undefined : line[at + 1];
};

/**
 * Prints the names of a kind that begin with a text, one a line, for the scripts of `completion`. `line` are the words typed so far, with
 * the flags that choose the data and the actor. Changes nothing, makes no database, and reports no failure.
 */
export async function printValues([kind, prefix = '', ...line]: readonly string[]): Promise<void> {
  const wanted = COMPLETED.find((one) => one === kind);
  if (!wanted) return;
  setTimeout(() => process.exit(), LONGEST_MS).unref();
  try {
    const dataDir = valueOf(line, '--data-dir');
    const own = loadConfig(dataDir === undefined ? {} : { dataDir });
    const config = line.includes('--demo') ? runningDemo(own) : own;
    if (config.databaseUrl === undefined && !existsSync(config.databaseFile)) return;
    useConfig(config);
    await openDatabase(databaseAddress(config), { busyGiveUpMs: PATIENCE_MS });
    const as = valueOf(line, '--as');
    const actor = as === undefined ? SYSTEM : await actorOf(as);
    const values = await listCompletions(actor, wanted, prefix);
    process.stdout.write(values.map((value) => `${harmless(value)}\n`).join(''));
  } catch {
    // A shell has no place for it.
  } finally {
    await closeDatabase().catch(() => undefined);
  }
}
