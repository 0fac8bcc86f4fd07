// Before each test file. Files of a project share processes, in which packages are loaded once; the sources are loaded anew,
// so that nothing that one file left in a module is there for the next.
import { vi } from 'vitest';
import { disableStorages } from './storages.ts';

disableStorages();
vi.resetModules();
await import('../acting.ts');
const { setPassphraseCost } = await import('../../../src/lib/sealed-key.ts');

// A backup that a test seals with a passphrase takes 2 ms instead of 300. The cost outside of tests is asserted in `test/lib`.
setPassphraseCost(10);
