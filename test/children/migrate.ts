// Opens a database, brings it up to date and prints what it applied: one of several that start at once.
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';

await openDatabase(process.argv[2] ?? '');
console.log(JSON.stringify(await migrate()));
await closeDatabase();
