import type { Config } from '../lib/config.ts';
import type { Flow } from '../operations/flow.ts';
import { restoreFlow } from '../operations/restore.ts';
import { checkFlow } from './checks.ts';
import { deployFlow } from './deploys.ts';
import { dnsChangeFlow } from './dns-change.ts';
import { dnsEditFlow } from './dns.ts';
import { ruleDeleteFlow } from './domain-rules.ts';
import { protectionFlows } from './protection.ts';
import { transferFlow } from './transfers.ts';

/** Every kind of long work: a line each. */
export const flows = (config: Config): Flow[] => [
  checkFlow(config),
  ...protectionFlows(config),
  dnsChangeFlow(config),
  dnsEditFlow(config),
  ruleDeleteFlow(config),
  deployFlow(config),
  transferFlow(config),
  restoreFlow,
];
