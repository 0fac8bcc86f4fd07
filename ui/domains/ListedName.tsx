import { Link } from 'react-router-dom';
import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import { domainPath } from './DomainLink.tsx';

// A name that is longer than this is cut in its middle: names are told apart by their ends.
const LONGEST = 39;
const END = 14;

const cut = (name: string): string =>
  name.length > LONGEST ? `${name.slice(0, LONGEST - END - 1)}…${name.slice(-END)}` : name;

/** The name of a domain in a row of a list, as a link to its page. */
export function ListedName({ domain_name, unicode_name }: Pick<DomainView, 'domain_name' | 'unicode_name'>) {
  // The contract promises the name as it is stored alone.
  const name = unicode_name || domain_name;
  const shown = cut(name);
  return (
    <Link to={domainPath(domain_name)} className="domain-name" title={domain_name} translate="no">
      {shown === name ? (
        shown
      ) : (
        <>
          <span aria-hidden>{shown}</span>
          <span className="visually-hidden">{name}</span>
        </>
      )}
    </Link>
  );
}
