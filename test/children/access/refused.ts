// Makes a call with a login that the service outside refuses: prints `asked` when it is made, and gets its answer with SIGUSR2.
import '../../support/acting.ts';
import { once } from 'node:events';
import { closeDatabase, openDatabase } from '../../../db/index.ts';
import { findRow } from '../../../db/rows.ts';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { watched } from '../../../src/services/accounts/refusals.ts';
import { cloudflareKind } from '../../../src/shared/accounts/cloudflare-accounts.ts';

const [file = '', id = ''] = process.argv.slice(2);
await openDatabase(file);
const row = await findRow(cloudflareKind.table, Number(id));
// A listener for a signal keeps no process alive.
const waiting = setInterval(() => undefined, 60_000);
const call = async (): Promise<never> => {
  const answered = once(process, 'SIGUSR2');
  console.log('asked');
  await answered;
  throw new ProviderError('credentials', 'refused');
};
await watched(cloudflareKind, row as never, call).catch((error: unknown) => {
  if (!(error instanceof ProviderError)) throw error;
});
clearInterval(waiting);
await closeDatabase();
console.log('noted');
