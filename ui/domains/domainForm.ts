import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { DomainInput, type DomainDetail, type DomainType } from '../../src/shared/portfolio/domains.ts';
import { isHtmlName } from '../../src/shared/sites/sites.ts';
import { useT } from '../kit/language.ts';

// The registrar is not edited here; what is not sent stays as it is. A project, a server, an account and a template are
// chosen out of lists, so their ids are some.
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
  template_id: z.number().nullable(),
  html_file: z.custom<File | null>((file) => file === null || (file instanceof File && isHtmlName(file.name)), {
    message: 'site.html_ending',
  }),
  deploy: z.boolean(),
});

/**
 * The domain form as it is filled in; `expired_at` is a day or empty, `deploy` whether a new domain gets a site at once.
 */
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
  template_id: null,
  html_file: null,
  deploy: false,
});

/** The form of a domain that there is. */
export const valuesOf = (domain: DomainDetail): DomainValues => ({
  domain_name: domain.domain_name,
  type: domain.type,
  transfer_type: domain.transfer_type,
  project_id: domain.project_id,
  server_id: domain.server_id,
  cloudflare_account_id: domain.cloudflare_account_id,
  expired_at: domain.expired_at?.slice(0, 10) ?? '',
  file_path: domain.file_path,
  template_id: domain.template_id,
  html_file: null,
  deploy: false,
});

/** The fields of the form that are no part of the site. */
type DomainOnly = Omit<DomainValues, 'template_id' | 'html_file' | 'deploy'>;

const withoutSite = ({ template_id: _1, html_file: _2, deploy: _3, ...fields }: DomainValues): DomainOnly => fields;

function multipart(
  fields: Partial<DomainOnly>,
  site: { template_id: number; html_file: File; deploy?: 'on' },
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, ...site })) {
    // As a form says nothing: an empty text.
    if (value !== undefined) form.set(name, value instanceof File ? value : String(value ?? ''));
  }
  return form;
}

/** A new domain as it is sent: with a template and a page as multipart; without both of them both are left out. */
export function newBody(values: DomainValues): FormData | DomainOnly {
  const { deploy, template_id, html_file } = values;
  if (!deploy || template_id === null || html_file === null) return withoutSite(values);
  return multipart(withoutSite(values), { template_id, html_file, deploy: 'on' });
}

/**
 * An edit as it is sent: what was changed by hand, so that another's edit of the rest meanwhile stays. A new page goes with
 * its template; another template goes alone where there is a page that it can be filled with, and is deployed if it can be.
 */
export function changedBody(
  values: DomainValues,
  dirty: Partial<Record<keyof DomainValues, boolean>>,
  hasPage: boolean,
): FormData | (Partial<DomainOnly> & { template_id?: number; deploy?: 'on' }) {
  const { template_id, html_file, server_id } = values;
  const changed: Partial<DomainOnly> = Object.fromEntries(
    Object.entries(withoutSite(values)).filter(([field]) => dirty[field as keyof DomainValues]),
  );
  if (template_id !== null && html_file !== null) return multipart(changed, { template_id, html_file });
  if (template_id === null || !dirty.template_id || !hasPage) return changed;
  return { ...changed, template_id, ...(server_id !== null && { deploy: 'on' }) };
}

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
