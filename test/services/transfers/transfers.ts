// Shared parts of the transfer tests: the sites that move, and readers for their state.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { OperationRow } from '../../../src/shared/operations/tables.ts';
import { select } from '../../../db/index.ts';
import { startMoves, type Moves } from '../../support/moves.ts';
import { forwardsOf } from '../../support/moves-portfolio.ts';

/** The sites of the test file that has called `useMoves`; they are reset before every test. */
export let moves: Moves;

/** Starts the sites before the tests of a file, resets them before each, and stops them after. */
export function useMoves(): void {
  beforeAll(async () => {
    moves = await startMoves();
  });
  afterAll(() => moves.close());
  beforeEach(() => moves.reset());
}

/** Moves a site, and waits for the end of the operation. */
export const move = async (
  source: string,
  target: string,
  more: { force?: boolean; confirm_site?: string } = {},
): Promise<OperationRow> => moves.run(await moves.start(source, target, more));

/** The key of an operation's message. */
export const said = ({ message }: OperationRow): string => (JSON.parse(message) as { key: string }).key;

/** The records of a zone, each on a line. */
export const records = (zone: string): string[] =>
  moves
    .zone(zone)
    .records.map(({ type, name, content, proxied }) => `${type} ${name} ${content}${proxied ? ' proxied' : ''}`)
    .toSorted();

/** The URLs that the page rules of a zone forward to. */
export const forwards = (zone: string): string[] => forwardsOf(moves.zone(zone));

/** The types of all domains, by name. */
export const types = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await select<{ domain_name: string; type: string }>('SELECT domain_name, type FROM domains ORDER BY id')).map(
      ({ domain_name, type }) => [domain_name, type],
    ),
  );

/** Returns the kind and the key of the error that `work` throws; null where it throws none. */
export const error = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ kind, key }: { kind: string; key: string }) => `${kind} ${key}`,
  );
