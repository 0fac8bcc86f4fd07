// Exercises the database on whatever driver is in use: migrate, write, refuse, roll back, write concurrently. Prints
// the results.
import '../support/acting.ts';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';
import { countDomains } from '../../src/services/portfolio/domain-lists.ts';
import { createDomain, updateDomain } from '../../src/services/portfolio/domains.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';
import { archiveOf } from '../../src/services/sites/templates.ts';
import { createUser, listUsers } from '../../src/services/access/users.ts';
import { DomainInput } from '../../src/shared/portfolio/domains.ts';

const [file = ''] = process.argv.slice(2);
await openDatabase(file);
const applied = await migrate();
await createUser({ login: 'admin', password: 'correct horse battery', role: 'admin' });
const add = (domain_name: string) => createDomain(SYSTEM, DomainInput.parse({ domain_name }));
const first = await add('first.example');
const renamed = await updateDomain(SYSTEM, first.id, { type: 'transfer' }, ['type']);
const taken = await add('first.example').catch((error: { code: string }) => error.code);
const constraint = await transaction(() =>
  execute(`INSERT INTO users (login, password, role, created_at) VALUES ('ADMIN', '', 'user', '')`),
).catch((error: { code: string }) => error.code);
await transaction(async () => {
  await execute('DELETE FROM domains');
  throw new Error('on purpose');
}).catch(() => undefined);
await Promise.all(Array.from({ length: 200 }, (_, index) => add(`many-${index}.example`)));
// Every byte value, as in an archive.
const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
await transaction(async () => {
  await execute(`INSERT INTO templates (id, name, created_at) VALUES (1, 'x', '')`);
  await execute('INSERT INTO template_archives (template_id, archive) VALUES (1, $bytes)', { bytes });
});
const archive = await archiveOf(1);
const [users, counts, integrity] = [
  await listUsers(),
  await countDomains(SYSTEM),
  await select('PRAGMA integrity_check'),
];
await closeDatabase();
console.log(
  JSON.stringify({
    applied: applied.length,
    type: renamed.type,
    taken,
    constraint,
    active: users.map(({ active }) => active),
    all: counts.all,
    archive: archive.content.equals(bytes),
    integrity,
  }),
);
