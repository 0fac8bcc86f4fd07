import { Tag } from '@blueprintjs/core';
import type { Source } from '../../src/shared/engines.ts';
import { useCall } from '../kit/api.ts';
import { WarningSignIcon } from '../kit/icons.tsx';
import { useFormats } from '../kit/language.ts';
import { T } from '../kit/T.tsx';

interface SearchAccountProps {
  account: { id: number; balance: string | null; balance_currency: string | null };
}

/** A balance below this is low, by its currency. */
const LOW: Readonly<Record<string, number>> = { RUB: 100, limits: 50 };

/** The balance as it was last read, of money or of limits, and a mark where it is low. */
export function SearchBalance({ account: { balance, balance_currency } }: SearchAccountProps) {
  const formats = useFormats();
  if (balance === null) return <>—</>;
  const currency = balance_currency ?? '';
  const sumOf = (amount: string) =>
    currency === 'limits' ? <T k="search_account.limits" n={Number(amount)} /> : formats.money(amount, currency);
  const least = LOW[currency];
  return (
    <span className="account-facts-line">
      {sumOf(balance)}
      {least !== undefined && Number(balance) < least && (
        <Tag minimal intent="warning" icon={<WarningSignIcon />}>
          <T k="search_account.low" sum={String(least)} />
        </Tag>
      )}
    </span>
  );
}

function LastsDays({ account: { id }, source }: SearchAccountProps & { source: Source }) {
  const { data } = useCall('GET /api/position_spending');
  const days = data?.data.find((one) => one.source === source && one.id === id)?.lasts_days ?? null;
  return days === null ? null : (
    <span className="muted">
      <T k="search_account.lasts" n={days} />
    </span>
  );
}

/** For how many days the balance lasts at what the account has spent in the last week. */
export const XmlriverLasts = (props: SearchAccountProps) => <LastsDays {...props} source="xmlriver" />;
export const ArsenkinLasts = (props: SearchAccountProps) => <LastsDays {...props} source="arsenkin" />;
