// Adds domains as the command line does, beside a server that writes to the same file.
import '../support/acting.ts';
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { createDomain } from '../../src/services/portfolio/domains.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';
import { DomainInput } from '../../src/shared/portfolio/domains.ts';

const [file = '', name = '', count = '0'] = process.argv.slice(2);
await openDatabase(file);
for (let index = 0; index < Number(count); index++) {
  await createDomain(SYSTEM, DomainInput.parse({ domain_name: `${name}-${index}.example` }));
}
await closeDatabase();
