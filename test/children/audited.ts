// Adds users until it is killed, each in a transaction with a row of the audit, and prints the login of each that is stored.
import { actAlways } from '../../db/acting.ts';
import { openDatabase, transaction } from '../../db/index.ts';
import { insertUser } from '../../src/services/access/users.ts';

const [file = '', name = ''] = process.argv.slice(2);
actAlways({ id: null, login: name }, { name: 'cli', call: 'test' });
await openDatabase(file);
for (let count = 0; ; count += 1) {
  const login = `${name}-${count}`;
  await transaction(() => insertUser({ login, role: 'user' }, 'no hash'));
  console.log(login);
}
