// Takes the write lock of a database once a file exists, and keeps it until it is killed.
import '../support/acting.ts';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, transaction } from '../../db/index.ts';

const [database = '', go = ''] = process.argv.slice(2);
await openDatabase(database);
console.log('ready');
while (!existsSync(go)) await sleep(2);
await transaction(async () => {
  console.log('held');
  await sleep(3_600_000);
});
