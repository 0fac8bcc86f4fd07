// Pauses a service's queue and, with the argument `call`, makes a call that waits for its end; nothing else keeps the process alive.
import { paceOf } from '../../src/providers/pace.ts';

const queue = paceOf('service', { calls: 10, seconds: 1, atOnce: 1 });
queue.pause(process.argv[2] === 'call' ? 1 : 3_600);
if (process.argv[2] === 'call') await queue.run(async () => console.log('called'));
