import { asAppError } from '../../operations/failure.ts';
import type { Call, Money } from '../../providers/provider.ts';
import { arsenkin } from '../../providers/search/arsenkin.ts';
import { xmlriver } from '../../providers/search/xmlriver.ts';
import type { Source } from '../../shared/engines.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { searchCallOf } from './search-accounts.ts';
import type { Login, Tested, Tester } from './tester.ts';

// A person waits for the answer.
const PATIENCE_MS = 25_000;

interface Details {
  balance: string | null;
  balance_currency: string | null;
}

const resultOf = (code: string | null, message: Message, balance: Money | null): Tested<Details> => {
  const found = { balance: balance?.amount ?? null, balance_currency: balance?.currency ?? null };
  return { code, message, details: found, known: found };
};

/** Tests a login by reading its balance, which costs nothing. */
async function test(source: Source, read: (call: Call) => Promise<Money>): Promise<Tested<Details>> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const balance = await read(searchCallOf(source, signal));
    const params = { balance: balance.amount, currency: balance.currency };
    return resultOf(null, { key: 'search_account.works', params }, balance);
  } catch (error) {
    if (signal.aborted)
      return resultOf('provider_unavailable', { key: 'search_account.slow', params: { name: source } }, null);
    const known = asAppError(error);
    if (!(known instanceof AppError)) throw error;
    return resultOf(known.code, { key: known.key, params: known.params }, null);
  }
}

export const xmlriverTester: Tester<Details> = {
  test: ({ fields, secret }: Login) =>
    test('xmlriver', (call) => xmlriver.readBalance({ login: fields['login'] ?? '', key: secret() }, call)),
};

export const arsenkinTester: Tester<Details> = {
  test: ({ secret }: Login) => test('arsenkin', (call) => arsenkin.readBalance({ token: secret() }, call)),
};
