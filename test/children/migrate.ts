// Opens a database, migrates it and prints the applied migrations; several of these start at once.
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';

await openDatabase(process.argv[2] ?? '');
console.log(JSON.stringify(await migrate()));
await closeDatabase();
