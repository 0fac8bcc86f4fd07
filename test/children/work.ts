// Runs one operation of the tests' own kind to its end; it can be told to die, or to stop, on the way.
import '../support/acting.ts';
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { interceptCrashPoints } from '../../src/lib/crash-point.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import { restoreFlow } from '../../src/operations/restore.ts';
import { backFlow, testFlow } from '../operations/outside.ts';

const [file = '', url = '', id = '', stopAt] = process.argv.slice(2);
if (stopAt !== undefined) {
  interceptCrashPoints((point) => {
    if (point !== stopAt) return;
    interceptCrashPoints();
    process.kill(process.pid, 'SIGSTOP');
    // The signal may reach another thread first: this one must not go on meanwhile.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  });
}
await openDatabase(file);
registerFlows([testFlow(url), backFlow(url), restoreFlow]);
const { state } = await runOperation(Number(id));
await closeDatabase();
console.log(state);
