import { Link } from 'react-router-dom';
import { ApiError } from '../kit/api.ts';
import { T } from '../kit/T.tsx';

interface ChangeDnsLinkProps {
  /** What was thrown where the CDN was asked. */
  error: Error;
  domain: { domain_name: string } | undefined;
}

/** The way out for a domain that is in no CDN account yet; nothing for other failures. */
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
