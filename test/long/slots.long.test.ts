// Two schedulers, whose clocks are up to 90 s apart, on one database: no slot runs twice.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';
import { startChild } from '../support/child.ts';
import { startPostgres } from '../support/postgres/cluster.ts';

const SLOTS = Number(process.env['SLOTS'] ?? 10_000);

async function slotsOf(database: string): Promise<string[][]> {
  await openDatabase(database);
  await migrate();
  await closeDatabase();
  const began = String(Math.floor(Date.now() / 60_000) * 60_000);
  const two = [0, 1].map(() => startChild('test/children/slots.ts', [database, began]));
  const claimed: string[][] = [[], []];
  const read = async (at: number): Promise<void> => {
    while (claimed[0]!.length + claimed[1]!.length < SLOTS) claimed[at]!.push(await two[at]!.line());
  };
  try {
    await Promise.all([read(0), read(1)]);
  } finally {
    await Promise.all(two.map((child) => child.kill()));
  }
  return claimed;
}

/** Prints how many slots each has run, and returns how many were run in all, and twice. */
function told(name: string, claimed: string[][]): { run: boolean; shared: boolean; twice: number } {
  const all = claimed.flat();
  const twice = all.length - new Set(all).size;
  const shares = claimed.map(({ length }) => length).join(' + ');
  console.log(`slots: ${name}: ${shares} = ${all.length} slots run, ${twice} of them twice`);
  return { run: all.length >= SLOTS, shared: claimed.every(({ length }) => length > 0), twice };
}
const GOOD = { run: true, shared: true, twice: 0 };

test('on SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-slots-'));
  try {
    expect(told('SQLite', await slotsOf(join(folder, 'slots.sqlite')))).toEqual(GOOD);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('on PostgreSQL', async () => {
  const server = startPostgres({ databases: ['one'] });
  try {
    expect(told('PostgreSQL', await slotsOf(server.address('one')))).toEqual(GOOD);
  } finally {
    server.close();
  }
});
