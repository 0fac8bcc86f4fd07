import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeDatabase, execute, openDatabase, transaction } from '../db/index.ts';
import { migrate } from '../db/migrate.ts';
import { inTransaction, modelOf } from '../db/rows.ts';
import { AddedAlike, addDomains } from '../src/services/portfolio/domain-adding.ts';
import { createDomain } from '../src/services/portfolio/domains.ts';
import { commitImport } from '../src/services/portfolio/imports.ts';
import { SYSTEM } from '../src/services/access/scope.ts';
import { insertUser } from '../src/services/access/users.ts';
import { DomainInput } from '../src/shared/portfolio/domains.ts';
import { ImportOptions } from '../src/shared/portfolio/imports.ts';
import { domains } from '../src/shared/portfolio/tables.ts';
import { median } from './serving.ts';

const NAMES = 2_000;
const ROUNDS = 5;

const alike = AddedAlike.parse({});
const rowOf = (domain_name: string) => {
  const now = new Date().toISOString();
  const { domain_name: _name, ...rest } = DomainInput.parse({ domain_name });
  const row = { ...rest, user_id: 1, domain_name, unicode_name: domain_name, file_path: `/var/www/${domain_name}` };
  return { ...row, status: 'available' as const, created_at: now, updated_at: now };
};

// The first entry is the peer.
const WAYS: Record<string, (names: string[]) => Promise<unknown>> = {
  'bulkCreate alone': (names) =>
    transaction(async () => (await modelOf(domains)).bulkCreate(names.map(rowOf), await inTransaction())),
  'this, rules and answers included': (names) => addDomains(SYSTEM, names, alike),
  'a file imported': (names) =>
    commitImport(SYSTEM, { name: 'names.csv', bytes: Buffer.from(names.join('\n')) }, ImportOptions.parse({})),
  'one transaction a name': async (names) => {
    for (const domain_name of names) await createDomain(SYSTEM, DomainInput.parse({ domain_name }));
  },
};

/** Prints how long adding 2,000 names takes, interleaved with Sequelize's own insert of the same rows. */
export async function benchAdding(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-bench-'));
  await openDatabase(join(folder, 'seo-admin.sqlite'));
  await migrate();
  await transaction(() => insertUser({ login: 'bench', role: 'admin' }, ''));
  const times = new Map(Object.keys(WAYS).map((title) => [title, { ms: [] as number[], cpu: [] as number[] }]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [title, add] of Object.entries(WAYS)) {
      await transaction(() => execute('DELETE FROM domains'));
      const names = Array.from({ length: NAMES }, (_, index) => `shop-${index}.example`);
      const [begun, used] = [performance.now(), process.cpuUsage()];
      await add(names);
      const { user, system } = process.cpuUsage(used);
      times.get(title)?.ms.push(performance.now() - begun);
      times.get(title)?.cpu.push((user + system) / 1000);
    }
  }
  await closeDatabase();
  rmSync(folder, { recursive: true, force: true });
  const peer = median(times.get('bulkCreate alone')?.cpu ?? []);
  for (const [title, { ms, cpu }] of times) {
    console.log(
      `${NAMES} names added, ${title}: ${median(ms).toFixed(0)} ms, ${median(cpu).toFixed(0)} ms of CPU, ${(median(cpu) / peer).toFixed(2)} x`,
    );
  }
}
