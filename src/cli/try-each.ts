import type { Message } from '../shared/i18n/index.ts';
import type { Context } from './context.ts';
import { columnsOf, type ExitCode, type Result } from './output.ts';
import { renderFor } from './render.ts';

// Each test waits for a different service.
const AT_ONCE = 8;

interface Tried {
  id: number;
  name: string;
  status: 'ok' | 'fail';
  code: string | null;
  message: string;
}

const COLUMNS = columnsOf<Tried>({ id: true, name: true, status: true, message: true, code: false });

/** Returns 0 without failures, 5 if some failed; if all failed, 6 if only because services were unavailable, else 1. */
function exitOf(items: Tried[]): ExitCode {
  const failed = items.filter(({ status }) => status === 'fail');
  if (failed.length === 0) return 0;
  if (failed.length < items.length) return 5;
  const isAway = ({ code }: Tried): boolean => ['provider_unavailable', 'provider_rate_limited'].includes(code ?? '');
  return failed.every(isAway) ? 6 : 1;
}

/** Tests accounts or servers, a few at once, and returns a result for each; a `code` of null means success. */
export async function tryEach(
  context: Context,
  rows: readonly { id: number; name: string }[],
  tryOne: (id: number) => Promise<{ code: string | null; said: Message }>,
): Promise<Result> {
  const items: Tried[] = [];
  const next = rows.entries();
  const work = async (): Promise<void> => {
    for (const [index, { id, name }] of next) {
      const { code, said } = await tryOne(id);
      const status = code === null ? 'ok' : 'fail';
      items[index] = { id, name, status, code, message: renderFor(context)(said) };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const fail = items.filter(({ status }) => status === 'fail').length;
  const result: Result = { items, columns: COLUMNS, summary: { total: items.length, fail }, exit: exitOf(items) };
  if (fail === 0) return result;
  const message = context.say('cli.accounts_failed', { fail, total: items.length });
  return { ...result, failure: { exit: exitOf(items), code: 'accounts_failed', message } };
}
