import type { Flow } from '../../operations/flow.ts';
import { restoreFlow } from '../../operations/restore.ts';
import { expiryFlow } from '../checks/check-expiry.ts';
import { checkFlow } from '../checks/checks.ts';
import { deployFlow } from '../sites/deploys.ts';
import { reserveFlow } from '../purchases/reserve-flow.ts';
import { dnsChangeFlow } from '../dns/change.ts';
import { dnsEditFlow } from '../dns/dns-edit.ts';
import { ruleDeleteFlow } from '../dns/domain-rules.ts';
import { protectionFlows } from '../dns/protection.ts';
import { renewalFlow } from '../purchases/renewals.ts';
import { transferFlow } from '../transfers/transfers.ts';

/** Every kind of long work: a line each. */
export const flows: readonly Flow[] = [
  checkFlow,
  expiryFlow,
  ...protectionFlows,
  dnsChangeFlow,
  dnsEditFlow,
  ruleDeleteFlow,
  deployFlow,
  renewalFlow,
  transferFlow,
  reserveFlow,
  restoreFlow,
];
