import { asAppError } from '../../operations/failure.ts';
import type { Call, Money } from '../../providers/provider.ts';
import { arsenkin } from '../../providers/search/arsenkin.ts';
import { xmlriver } from '../../providers/search/xmlriver.ts';
import type { Source } from '../../shared/engines.ts';
import { AppError } from '../../shared/errors.ts';
import { searchCallOf } from './search-accounts.ts';
import { balanceTested, PATIENCE_MS, type Balance, type Login, type Tested, type Tester } from './tester.ts';

/** Tests a login by reading its balance, which costs nothing. */
async function test(source: Source, read: (call: Call) => Promise<Money>): Promise<Tested<Balance>> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const balance = await read(searchCallOf(source, signal));
    const params = { balance: balance.amount, currency: balance.currency };
    return balanceTested(null, { key: 'search_account.works', params }, balance);
  } catch (error) {
    if (signal.aborted)
      return balanceTested('provider_unavailable', { key: 'search_account.slow', params: { name: source } }, null);
    const known = asAppError(error);
    if (!(known instanceof AppError)) throw error;
    return balanceTested(known.code, { key: known.key, params: known.params }, null);
  }
}

export const xmlriverTester: Tester<Balance> = {
  test: ({ fields, secret }: Login) =>
    test('xmlriver', (call) => xmlriver.readBalance({ login: fields['login'] ?? '', key: secret() }, call)),
};

export const arsenkinTester: Tester<Balance> = {
  test: ({ secret }: Login) => test('arsenkin', (call) => arsenkin.readBalance({ token: secret() }, call)),
};
