import type { Actor } from '../services/scope.ts';
import type { Context } from './context.ts';
import type { ExitCode, Result } from './output.ts';

const COLUMNS = ['id', 'name', 'status', 'message'].map((field) => ({ field, title: field }));

interface Tried {
  id: number;
  name: string;
  status: 'ok' | 'fail';
  code: string | null;
  message: string;
}

/** The exit code: what failed, failed; where nothing but the way there did, it is worth another try later. */
function exitOf(items: Tried[]): ExitCode {
  const failed = items.filter(({ status }) => status === 'fail');
  if (failed.length === 0) return 0;
  if (failed.length < items.length) return 5;
  const isAway = ({ code }: Tried): boolean => ['provider_unavailable', 'provider_rate_limited'].includes(code ?? '');
  return failed.every(isAway) ? 6 : 1;
}

/** Tries the keys of CDN accounts, one after the other, and says what came of each. */
export async function checkAccounts(
  context: Context,
  actor: Actor,
  accounts: readonly { id: number; name: string }[],
): Promise<Result> {
  const { testCloudflareAccount } = await import('../services/cloudflare-check.ts');
  const items: Tried[] = [];
  for (const { id, name } of accounts) {
    const { code, said } = await testCloudflareAccount(context.config(), actor, id);
    const status = code === null ? 'ok' : 'fail';
    items.push({ id, name, status, code, message: context.say(said.key, said.params) });
  }
  const fail = items.filter(({ status }) => status === 'fail').length;
  const result: Result = { items, columns: COLUMNS, summary: { total: items.length, fail }, exit: exitOf(items) };
  if (fail === 0) return result;
  const message = context.say('cli.accounts_failed', { fail, total: items.length });
  return { ...result, failure: { exit: exitOf(items), code: 'accounts_failed', message } };
}
