import type { Flow } from '../../operations/flow.ts';
import { restoreFlow } from '../../operations/restore.ts';
import { expiryFlow } from '../checks/check-expiry.ts';
import { indexFlow } from '../checks/check-index.ts';
import { checkFlow } from '../checks/checks.ts';
import { deployFlow } from '../sites/deploys.ts';
import { reserveFlow } from '../purchases/reserve-flow.ts';
import { dnsChangeFlow } from '../dns/change.ts';
import { dnsEditFlow } from '../dns/dns-edit.ts';
import { ruleDeleteFlow } from '../dns/domain-rules.ts';
import { protectionFlows } from '../dns/protection.ts';
import { renewalFlow } from '../purchases/renewals.ts';
import { fetchFlow } from '../positions/fetch.ts';
import { transferFlow } from '../transfers/transfers.ts';

/** Every kind of long work: a line each. */
export const flows: readonly Flow[] = [
  checkFlow,
  expiryFlow,
  indexFlow,
  ...protectionFlows,
  dnsChangeFlow,
  dnsEditFlow,
  ruleDeleteFlow,
  deployFlow,
  renewalFlow,
  transferFlow,
  reserveFlow,
  fetchFlow,
  restoreFlow,
];
