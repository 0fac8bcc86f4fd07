// Copies a database into another one, by their addresses, and prints that it is done.
import { isPostgres } from '../../src/lib/database-address.ts';
import { copyDatabase } from '../../src/services/system/copy.ts';

const place = (address: string) => ({
  databaseFile: address,
  ...(isPostgres(address) && { databaseUrl: address }),
});

const [from = '', to = ''] = process.argv.slice(2);
await copyDatabase(place(from), place(to));
console.log('done');
