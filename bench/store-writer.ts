// Writes to a database as often as it can, beside other processes; on SIGTERM it prints its longest wait for the lock.
import { closeDatabase, execute, openDatabase, transaction } from '../db/index.ts';

await openDatabase(process.argv[2] ?? '');
let longest = 0;
let writes = 0;
const end = new AbortController();
process.on('SIGTERM', () => end.abort());
console.log('ready');
while (!end.signal.aborted) {
  const start = performance.now();
  await transaction(() => {
    longest = Math.max(longest, performance.now() - start);
    return execute(`UPDATE installation SET value = value WHERE name = 'bench'`);
  });
  writes += 1;
  await new Promise((resolve) => setTimeout(resolve, 1));
}
await closeDatabase();
console.log(JSON.stringify({ longest, writes }));
