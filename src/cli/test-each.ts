import { testAccount } from '../services/accounts/accounts.ts';
import type { Actor } from '../services/access/scope.ts';
import type { Kind } from '../shared/accounts/kinds.ts';
import { AppError } from '../shared/errors.ts';
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

type Tested = Pick<Awaited<ReturnType<typeof testAccount>>, 'code' | 'message'>;

/** Tests an account. An account that the actor may not test, or that is gone by now, is a failure of its own: it stops no other test. */
async function testOne(actor: Actor, kind: Kind, id: number, refusals: AppError[]): Promise<Tested> {
  try {
    return await testAccount(actor, kind, id);
  } catch (error) {
    if (!(error instanceof AppError) || !['forbidden', 'not_found'].includes(error.kind)) throw error;
    refusals.push(error);
    return { code: error.code, message: { key: error.key, params: error.params } };
  }
}

/** Tests accounts of a kind, a few at once, and returns a result for each. Throws AppError where none of them may be tested. */
export async function testEach(
  context: Context,
  actor: Actor,
  kind: Kind,
  rows: readonly { id: number; name: string }[],
): Promise<Result> {
  const items: Outcome[] = [];
  const refusals: AppError[] = [];
  const next = rows.entries();
  const work = async (): Promise<void> => {
    for (const [index, { id, name }] of next) {
      const { code, message } = await testOne(actor, kind, id, refusals);
      const status = code === null ? 'ok' : 'fail';
      items[index] = { id, name, status, code, message: renderFor(context)(message) };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const [refusal] = refusals;
  if (refusal && refusals.length === rows.length) throw refusal;
  const fail = items.filter(({ status }) => status === 'fail').length;
  const result: Result = { items, columns: COLUMNS, summary: { total: items.length, fail }, exit: exitOf(items) };
  if (fail === 0) return result;
  const message = context.say('cli.accounts_failed', { fail, total: items.length });
  return { ...result, failure: { exit: exitOf(items), code: 'accounts_failed', message } };
}
