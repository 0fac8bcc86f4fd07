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
import { OPERATION_WORK, type OperationWork, type WorkKind } from '../../shared/system/work-kinds.ts';
import { transferFlow } from '../transfers/transfers.ts';

/** The flows of each work: a line each. */
const FLOWS: Readonly<Record<OperationWork, readonly Flow[]>> = {
  checks: [checkFlow, expiryFlow, indexFlow],
  dns: [...protectionFlows, dnsChangeFlow, dnsEditFlow, ruleDeleteFlow],
  sites: [deployFlow],
  transfers: [transferFlow],
  purchases: [renewalFlow, reserveFlow],
  positions: [fetchFlow],
};

/** Every kind of long work. */
export const flows: readonly Flow[] = [...Object.values(FLOWS).flat(), restoreFlow];

/**
 * Returns the kinds of operation of some work; undefined: all that there are. That of restores is in each: one is taken only with the
 * kind that it restores.
 */
export function kindsOf(work: ReadonlySet<WorkKind>): ReadonlySet<string> | undefined {
  if (OPERATION_WORK.every((name) => work.has(name))) return undefined;
  const own = OPERATION_WORK.filter((name) => work.has(name)).flatMap((name) => FLOWS[name]);
  return new Set(own.length === 0 ? [] : [...own, restoreFlow].map(({ kind }) => kind));
}
