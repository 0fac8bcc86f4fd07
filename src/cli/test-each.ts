import { testAccount } from '../services/accounts/accounts.ts';
import type { Actor } from '../services/access/scope.ts';
import type { Kind } from '../shared/accounts/kinds.ts';
import type { Context } from './context.ts';
import { columnsOf, type ExitCode, type Result } from './output.ts';
import { renderFor } from './render.ts';

// Each test waits for a different service.
const AT_ONCE = 8;

interface Outcome {
  id: number;
  name: string;
  status: 'ok' | 'fail';
  code: string | null;
  message: string;
}

const COLUMNS = columnsOf<Outcome>({ id: true, name: true, status: true, message: true, code: false });

/** Returns 0 without failures, 5 if some failed; if all failed, 6 if only because services were unavailable, else 1. */
function exitOf(items: Outcome[]): ExitCode {
  const failed = items.filter(({ status }) => status === 'fail');
  if (failed.length === 0) return 0;
  if (failed.length < items.length) return 5;
  const isAway = ({ code }: Outcome): boolean => ['provider_unavailable', 'provider_rate_limited'].includes(code ?? '');
  return failed.every(isAway) ? 6 : 1;
}

/** Tests accounts of a kind, a few at once, and returns a result for each. */
export async function testEach(
  context: Context,
  actor: Actor,
  kind: Kind,
  rows: readonly { id: number; name: string }[],
): Promise<Result> {
  const items: Outcome[] = [];
  const next = rows.entries();
  const work = async (): Promise<void> => {
    for (const [index, { id, name }] of next) {
      const { code, message } = await testAccount(actor, kind, id);
      const status = code === null ? 'ok' : 'fail';
      items[index] = { id, name, status, code, message: renderFor(context)(message) };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const fail = items.filter(({ status }) => status === 'fail').length;
  const result: Result = { items, columns: COLUMNS, summary: { total: items.length, fail }, exit: exitOf(items) };
  if (fail === 0) return result;
  const message = context.say('cli.accounts_failed', { fail, total: items.length });
  return { ...result, failure: { exit: exitOf(items), code: 'accounts_failed', message } };
}
