import { registrarKind } from '../../../src/shared/accounts/registrars.ts';
import { domainFilter } from '../../../src/shared/portfolio/domains.ts';
import { parseCells } from '../../../src/shared/portfolio/domain-cells.ts';
import { useAccounts } from '../../accounts/calls.ts';
import { useCall } from '../../kit/api.ts';
import { useFormats, useT } from '../../kit/language.ts';
import { cellWords } from '../cells.ts';
import { expiryWords, STATUS_LABELS, type DomainsView } from '../DomainFilters.tsx';

const named = (list: readonly { id: number; name: string }[] | undefined, id: string): string =>
  list?.find((one) => String(one.id) === id)?.name ?? id;

/** Returns the filters of a view in words, with commas; '' where none is set. */
export function useFilterWords(view: DomainsView): string {
  const t = useT();
  const formats = useFormats();
  const { data: projects } = useCall('GET /api/user_projects');
  const { data: servers } = useCall('GET /api/servers');
  const { accounts: registrars } = useAccounts(registrarKind);
  const { search, project, server, registrar, type } = view;
  const status = domainFilter(view.status);
  return [
    search !== '' && `«${search}»`,
    status !== 'all' && t(STATUS_LABELS[status]),
    project !== '' && named(projects?.data, project),
    server !== '' && named(servers?.data, server),
    registrar !== '' && named(registrars, registrar),
    type !== '' && t(type === 'main' ? 'list.type_main' : 'list.type_transfer'),
    expiryWords(view, t, formats),
    ...parseCells(view.cells).map((cell) => cellWords(cell, t, named(projects?.data, cell.value))),
  ]
    .filter((part) => part !== false && part !== '')
    .join(', ');
}
