// Disables a user as the command line does, and prints the time of the commit in milliseconds since 1970.
import '../../support/acting.ts';
import { closeDatabase, openDatabase } from '../../../db/index.ts';
import { disableUser } from '../../../src/services/access/user-changes.ts';

const [file = '', login = ''] = process.argv.slice(2);
await openDatabase(file);
await disableUser(login);
console.log(Date.now());
await closeDatabase();
