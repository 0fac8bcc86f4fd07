// A process that works on what is delivered to it, and queues `test` operations of its own: those from `first` on, `count` of them.
import '../support/acting.ts';
import { closeDatabase, openDatabase } from '../../db/index.ts';
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
  // The database may be away: the key makes the same request the same operation.
  for (;;) {
    try {
      await enqueue(request);
      break;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
console.log('queued');
setInterval(() => undefined, 60_000);
