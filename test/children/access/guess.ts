// A server's part in signing in: tries a login from so many networks at once; prints how many of the passwords would be verified.
import { closeDatabase, openDatabase } from '../../../db/index.ts';
import { useSecretKey } from '../../../src/lib/secret.ts';
import { claimAttempt } from '../../../src/services/access/throttle.ts';

const [database = '', key = '', login = '', networks = ''] = process.argv.slice(2);
await openDatabase(database);
useSecretKey(Buffer.from(key, 'hex'));
const tries = networks.split(',').map((network) =>
  claimAttempt(login, network).then(
    () => 1,
    () => 0,
  ),
);
const counted: number[] = await Promise.all(tries);
console.log(counted.reduce((sum, one) => sum + one, 0));
await closeDatabase();
