// Works purchases off beside the test's own workers; it can be told to die on the way.
import '../support/acting.ts';
import { readFileSync } from 'node:fs';
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { shopAt, work, type Task } from '../services/purchases/schedules.ts';

const [database = '', url = '', registrar = '', file = '', seed = '', chance = ''] = process.argv.slice(2);
await openDatabase(database);
const tasks = JSON.parse(readFileSync(file, 'utf8')) as Task[];
const crashes = await work(tasks, shopAt(Number(registrar), url), { seed: Number(seed), chance: Number(chance) });
await closeDatabase();
console.log(crashes);
