// Makes calls to the fake Cloudflare within the budget that all processes share; with `die` it is killed after so many answers.
import '../support/acting.ts';
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { cloudflare } from '../../src/providers/cloudflare.ts';
import { setBudget } from '../../src/providers/cloudflare/budget.ts';
import { openBudgets } from '../../src/services/accounts/call-budgets.ts';

const [file = '', url = '', login = '', limit = '', calls = '', die = ''] = process.argv.slice(2);
await openDatabase(file);
openBudgets();
setBudget(url, JSON.parse(limit) as { calls: number; seconds: number });
const api = cloudflare(url, JSON.parse(login) as { email: string; api_key: string });
let answered = 0;
const call = async (): Promise<void> => {
  await api.findZone('example.com');
  answered += 1;
  if (answered === Number(die)) process.kill(process.pid, 'SIGKILL');
};
await Promise.all(Array.from({ length: Number(calls) }, call));
await closeDatabase();
console.log(answered);
