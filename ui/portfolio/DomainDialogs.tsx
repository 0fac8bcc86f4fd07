import { lazy, Suspense } from 'react';
import type { ToastPlace } from '../kit/toasts.tsx';
import { useTransferDialog } from '../transfers/useTransferDialog.ts';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';
import { Loading } from '../kit/Loading.tsx';

const Domain = lazy(async () => ({ default: (await import('../domains/Domain.tsx')).Domain }));
const DnsRecords = lazy(async () => ({ default: (await import('../dns/DnsRecords.tsx')).DnsRecords }));
const Redirects = lazy(async () => ({ default: (await import('../dns/Redirects.tsx')).Redirects }));
const PageRules = lazy(async () => ({ default: (await import('../dns/PageRules.tsx')).PageRules }));
const DomainChecks = lazy(async () => ({ default: (await import('../checks/DomainChecks.tsx')).DomainChecks }));
const Transfer = lazy(async () => ({ default: (await import('../transfers/Transfer.tsx')).Transfer }));
const TransferHistory = lazy(async () => ({
  default: (await import('../transfers/TransferHistory.tsx')).TransferHistory,
}));

const DomainPositions = lazy(async () => ({
  default: (await import('../positions/DomainPositions.tsx')).DomainPositions,
}));
const Renew = lazy(async () => ({ default: (await import('../purchases/Renew.tsx')).Renew }));

/** The dialogs about one domain whose id is in the URL; mounted once by each screen that lists domains. */
export function DomainDialogs({ place }: { place: ToastPlace }) {
  const domain = useUrlDialog('domain');
  const dns = useUrlDialog('dns');
  const redirects = useUrlDialog('redirects');
  const rules = useUrlDialog('rules');
  const checks = useUrlDialog('checks');
  const registration = useUrlDialog('registration');
  const why = useUrlDialog('why');
  const transfer = useTransferDialog();
  const transfers = useUrlDialog('transfers');
  const renew = useUrlDialog('renew');
  const positions = useUrlDialog('positions');
  return (
    <Suspense fallback={<Loading />}>
      {domain.id !== undefined && <Domain key={domain.id} id={domain.id} place={place} onClose={domain.close} />}
      {dns.id !== undefined && <DnsRecords key={dns.id} id={dns.id} onClose={dns.close} />}
      {redirects.id !== undefined && <Redirects key={redirects.id} id={redirects.id} onClose={redirects.close} />}
      {rules.id !== undefined && <PageRules key={rules.id} id={rules.id} onClose={rules.close} />}
      {checks.id !== undefined && <DomainChecks key={checks.id} id={checks.id} onClose={checks.close} />}
      {registration.id !== undefined && (
        <DomainChecks key={registration.id} id={registration.id} tab="registration" onClose={registration.close} />
      )}
      {why.id !== undefined && <DomainChecks key={`why ${why.id}`} id={why.id} tab="why" onClose={why.close} />}
      {transfer.id !== undefined && (
        <Transfer
          key={`${transfer.id} ${transfer.target}`}
          id={transfer.id}
          target={transfer.target}
          place={place}
          onClose={transfer.close}
        />
      )}
      {transfers.id !== undefined && <TransferHistory key={transfers.id} id={transfers.id} onClose={transfers.close} />}
      {positions.id !== undefined && <DomainPositions key={positions.id} id={positions.id} onClose={positions.close} />}
      {renew.id !== undefined && <Renew key={renew.id} ids={[renew.id]} onClose={renew.close} />}
    </Suspense>
  );
}
