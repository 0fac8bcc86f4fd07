import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { DomainInput, type DomainType, type DomainView } from '../../src/shared/domains.ts';
import { useT } from '../language.ts';

// The registrar and the template are not edited here; what is not sent stays as it is. A project, a server and an account
// are chosen out of lists, so their ids are some.
const DomainFields = DomainInput.pick({
  domain_name: true,
  type: true,
  transfer_type: true,
  expired_at: true,
  file_path: true,
}).extend({
  project_id: z.number().nullable(),
  server_id: z.number().nullable(),
  cloudflare_account_id: z.number().nullable(),
});

/** The domain form as it is filled in; `expired_at` is a day or empty. */
export type DomainValues = z.input<typeof DomainFields>;

/** Checks by the shape that the server checks by, and sends what was typed: cleaning it is the server's. */
export const domainResolver = zodResolver(DomainFields, undefined, { raw: true });

/** The form of a new domain. */
export const newDomain = (project_id: number | null, type: DomainType = 'main'): DomainValues => ({
  domain_name: '',
  type,
  transfer_type: 'auto',
  project_id,
  server_id: null,
  cloudflare_account_id: null,
  expired_at: '',
  file_path: '',
});

/** The form of a domain that there is. */
export const valuesOf = (domain: DomainView): DomainValues => ({
  domain_name: domain.domain_name,
  type: domain.type,
  transfer_type: domain.transfer_type,
  project_id: domain.project_id,
  server_id: domain.server_id,
  cloudflare_account_id: domain.cloudflare_account_id,
  expired_at: domain.expired_at?.slice(0, 10) ?? '',
  file_path: domain.file_path,
});

/** What was changed by hand: the rest is not sent, so that another's edit of it meanwhile stays. */
export const changedValues = (
  values: DomainValues,
  dirty: Partial<Record<keyof DomainValues, boolean>>,
): Partial<DomainValues> =>
  Object.fromEntries(Object.entries(values).filter(([field]) => dirty[field as keyof DomainValues]));

/** The types and the modes of a domain, with their words. */
export function useDomainChoices() {
  const t = useT();
  return {
    types: [
      { value: 'main', label: t('list.type_main') },
      { value: 'transfer', label: t('list.type_transfer') },
    ],
    modes: [
      { value: 'auto', label: t('list.mode_auto') },
      { value: 'manual', label: t('list.mode_manual') },
    ],
  };
}
