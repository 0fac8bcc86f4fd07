import type { CloudflareAccountView } from '../../src/shared/accounts/cloudflare-accounts.ts';
import { CopyIcon } from '../kit/CopyButton.tsx';
import { T } from '../kit/T.tsx';

/** The pair of name servers of a CDN account. */
export function NameServers({
  account: { name, ns_1, ns_2 },
}: {
  account: Pick<CloudflareAccountView, 'name' | 'ns_1' | 'ns_2'>;
}) {
  const pair = [ns_1, ns_2].filter((server) => server !== null).join(', ');
  if (pair === '') return <T k="cloudflare.no_ns" />;
  return (
    <>
      {pair} <CopyIcon text={pair} name={`NS ${name}`} />
    </>
  );
}
