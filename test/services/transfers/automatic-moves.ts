// Shared parts of the tests of automatic moves: lists that block names of the sites that move, and runs to the end.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { updateBlocklist } from '../../../src/services/checks/blocklist.ts';
import { startCheck } from '../../../src/services/checks/checks.ts';
import { runAutoTransfers } from '../../../src/services/transfers/automatic.ts';
import { moves, useMoves } from './transfers.ts';

/** Starts the sites that move, as `useMoves`; before each test nothing was looked at or decided yet. */
export function useAutomaticMoves(): void {
  useMoves();
  beforeEach(() =>
    transaction(async () => {
      for (const table of ['checks', 'transfer_decisions', 'transfer_stops']) await execute(`DELETE FROM ${table}`);
    }),
  );
}

let version = 0;
/** Runs `times` checks, each with a new version of a list that blocks these names. */
export async function look(times: number, ...names: string[]): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    version += 1;
    const file = join(moves.config.dataDir, 'list.txt');
    writeFileSync(file, `${[...names, `version-${version}.example`].join('\n')}\n`);
    await updateBlocklist(moves.config.blocklistDir, { file, accept: true });
    await runOperation((await startCheck(SYSTEM, { steps: ['blocklist'] }, true)).id);
  }
}

/** Runs the automatic moves to their end and returns the decisions. */
export async function run(): Promise<string[]> {
  const { decisions } = await runAutoTransfers(SYSTEM, { here: true });
  for (const { operation_id } of decisions) if (operation_id !== null) await runOperation(operation_id);
  return decisions.map(({ main, decision, target }) => `${main.domain_name} ${decision} ${target?.domain_name ?? ''}`);
}
