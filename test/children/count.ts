// Increments a counter repeatedly, each time in a transaction that reads it first: a lost update would show.
import { closeDatabase, execute, openDatabase, select, transaction } from '../../db/index.ts';

const [file = '', times = '0'] = process.argv.slice(2);
await openDatabase(file);
for (let done = 0; done < Number(times); done++) {
  await transaction(async () => {
    const [row] = await select<{ value: number }>('SELECT value FROM counter');
    await execute('UPDATE counter SET value = $value', { value: (row?.value ?? 0) + 1 });
  });
}
await closeDatabase();
