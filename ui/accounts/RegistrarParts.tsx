import { Tag } from '@blueprintjs/core';
import { Link } from 'react-router-dom';
import type { AccountView } from '../../src/shared/accounts/kind.ts';
import { lowBalanceOf } from '../../src/shared/accounts/registrar-types.ts';
import { registrarKind } from '../../src/shared/accounts/registrars.ts';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';
import { WarningSignIcon } from '../kit/icons.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';

interface RegistrarProps {
  account: AccountView<typeof registrarKind>;
}

/** The name in the URL of the dialog with a registrar's domains. */
export const DOMAINS_DIALOG = 'domains';

/** The balance as it was last read, and a mark with the reason where it is low. */
function Balance({ account }: RegistrarProps) {
  const formats = useFormats();
  const { balance, balance_currency: currency } = account;
  if (balance === null || currency === null) return null;
  const least = lowBalanceOf(account);
  return (
    <>
      <T k="registrars.balance_is" sum={formats.money(balance, currency)} />
      {least !== null && (
        <Tag minimal intent="warning" icon={<WarningSignIcon />}>
          <T k="registrars.balance_low" sum={formats.money(String(least), currency)} />
        </Tag>
      )}
    </>
  );
}

/** Shows the balance of a registrar's account and the number of its domains in the portfolio. */
export function RegistrarFacts({ account }: RegistrarProps) {
  const { id, domains } = account;
  return (
    <span className="account-facts-line">
      <Balance account={account} />
      {domains > 0 && (
        <Link to={`${registrarKind.screen.domainsAt}${id}`}>
          <T k="registrars.used_by" n={domains} />
        </Link>
      )}
    </span>
  );
}

/** Opens the registrar's list of domains. */
export function RegistrarActs({ account }: RegistrarProps) {
  const t = useT();
  const { to, state } = useUrlDialog(DOMAINS_DIALOG).linkTo(account.id);
  const action = t('registrars.domains_list');
  return (
    <Link
      to={to}
      state={state}
      className="bp6-button bp6-small"
      aria-label={t('sites.action_on', { action, name: account.name })}
      title={t('registrars.domains_title')}
    >
      <T k="registrars.domains_list" />
    </Link>
  );
}
