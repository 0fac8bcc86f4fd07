import { Link } from 'react-router-dom';
import { ApiError } from '../kit/api.ts';
import { T } from '../kit/T.tsx';

interface ChangeDnsLinkProps {
  /** The error of the CDN call. */
  error: Error;
  domain: { domain_name: string } | undefined;
}

/** Links to the DNS form for a domain without a CDN account; nothing for other failures. */
export function ChangeDnsLink({ error, domain }: ChangeDnsLinkProps) {
  const lacksAccount = error instanceof ApiError && error.code === 'no_cloudflare_account';
  if (!lacksAccount || !domain) return null;
  return (
    <p className="way-out">
      <Link to={`/dns?domain=${domain.domain_name}`} className="bp6-button">
        <T k="sites.change_dns" />
      </Link>
    </p>
  );
}
