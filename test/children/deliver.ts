// A process that works on what is delivered to it, and queues `test` operations of its own: those from `first` on, `count` of them.
import '../support/acting.ts';
import { closeDatabase, openDatabase, select } from '../../db/index.ts';
import { createLog } from '../../src/lib/log.ts';
import { deliveryFor } from '../../src/operations/bull-delivery.ts';
import { startDelivery } from '../../src/operations/delivery.ts';
import { registerFlows } from '../../src/operations/engine.ts';
import { enqueue } from '../../src/operations/queue.ts';
import { restoreFlow } from '../../src/operations/restore.ts';
import { testFlow } from '../operations/outside.ts';

const [database = '', url = '', first = '0', count = '0'] = process.argv.slice(2);
const log = createLog('silent');
await openDatabase(database);
registerFlows([testFlow(url), restoreFlow]);
const delivery = startDelivery(deliveryFor(log, database));
process.once('SIGTERM', () => {
  void delivery
    .stop()
    .then(closeDatabase)
    .then(() => process.exit(0));
});
console.log('ready');
/** Asks until the database answers: it may be away. */
async function lasting<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
// Subjects that a former process of this place has queued.
const queued = new Set(
  (await lasting(() => select<{ subject: string }>(`SELECT subject FROM operations WHERE kind = 'test'`))).map(
    ({ subject }) => subject,
  ),
);
for (let at = Number(first); at < Number(first) + Number(count); at += 1) {
  const item = `n${at}`;
  const request = {
    kind: 'test',
    subject: item,
    user_id: null,
    input: {},
    message: { key: 'check.started' as const },
    items: [{ item, lane: 'one', data: {} }],
    idem_key: item,
  };
  // The key makes the same request the same operation.
  if (!queued.has(item)) await lasting(() => enqueue(request));
}
console.log('queued');
setInterval(() => undefined, 60_000);
