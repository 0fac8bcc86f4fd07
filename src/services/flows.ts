import type { Config } from '../lib/config.ts';
import type { Flow } from '../operations/flow.ts';
import { restoreFlow } from '../operations/restore.ts';
import { checkFlow } from './checks.ts';

/** Every kind of long work: a line each. */
export const flows = (config: Config): Flow[] => [checkFlow(config), restoreFlow];
