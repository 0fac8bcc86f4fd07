// Before each test file. Files of a project share processes, in which packages are loaded once; the sources are loaded anew,
// so that nothing that one file left in a module is there for the next.
import { vi } from 'vitest';

vi.resetModules();
await import('../acting.ts');
