// Accepts the blocklist that waits for a person, or goes back to the former one, and audits that. Killed where the test says.
import { actAlways } from '../../db/acting.ts';
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { acceptBlocklist, rollBackBlocklist } from '../../src/services/checks/blocklist.ts';
import { auditListDecisions } from '../../src/services/checks/list-audit.ts';

const [file = '', dir = '', decision = ''] = process.argv.slice(2);
actAlways({ id: 7, login: 'anna' }, { name: 'cli', call: `blocklist ${decision}` });
await openDatabase(file);
await (decision === 'accept' ? acceptBlocklist(dir) : rollBackBlocklist(dir));
await auditListDecisions(dir);
await closeDatabase();
