import { lazy, Suspense } from 'react';
import { registrarKind } from '../../src/shared/accounts/registrars.ts';
import { Accounts } from '../accounts/Accounts.tsx';
import { useAccounts } from '../accounts/calls.ts';
import { DOMAINS_DIALOG } from '../accounts/RegistrarParts.tsx';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';
import { Loading } from '../kit/Loading.tsx';

const DomainsOfRegistrar = lazy(async () => ({
  default: (await import('./DomainsOfRegistrar.tsx')).DomainsOfRegistrar,
}));

/** The registrars, with the list of domains of each. */
export function Registrars() {
  const { id, close } = useUrlDialog(DOMAINS_DIALOG);
  const { accounts } = useAccounts(registrarKind);
  const registrar = accounts?.find((account) => account.id === id);
  return (
    <>
      <Accounts kind={registrarKind} />
      <Suspense fallback={<Loading />}>
        {id !== undefined && (
          <DomainsOfRegistrar
            id={id}
            registrar={registrar && { name: registrar.name, type: String(registrar['type']) }}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}
