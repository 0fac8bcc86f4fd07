import { Link } from 'react-router-dom';
import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import { IconAction } from '../kit/IconAction.tsx';
import { ShareIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';

type Named = Pick<DomainView, 'domain_name' | 'unicode_name'>;

/** Returns the path of the page of a domain. */
export const domainPath = (domain_name: string): string => `/sites/${domain_name}`;

/** The name of a domain as people read it, as a link to its page. */
export const DomainLink = ({ domain_name, unicode_name }: Named) => (
  <Link to={domainPath(domain_name)} className="domain-name" title={domain_name} translate="no">
    {unicode_name}
  </Link>
);

/** A link to the site itself as an icon, in a new tab and without a referrer. */
export function SiteIcon({ domain_name, unicode_name }: Named) {
  const t = useT();
  return (
    <IconAction icon={<ShareIcon />} action={t('sites.open')} name={unicode_name} href={`http://${domain_name}/`} />
  );
}
