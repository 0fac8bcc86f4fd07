import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { DomainEdit, DomainInput, type DomainDetail, type DomainType } from '../../src/shared/portfolio/domains.ts';
import { expiryDay } from '../../src/shared/portfolio/expiry-day.ts';
import { isHtmlName } from '../../src/shared/sites/sites.ts';
import { changesIn } from '../kit/form/changesIn.ts';
import { useT } from '../kit/language.ts';

// The copying of records is not edited here; a field that is not sent stays unchanged. Project, server, accounts and template
// are picked from lists, so their ids are numbers.
const DomainFields = DomainInput.omit({ transfer_dns: true }).extend({
  project_id: z.number().nullable(),
  server_id: z.number().nullable(),
  cloudflare_account_id: z.number().nullable(),
  registrars_id: z.number().nullable(),
  template_id: z.number().nullable(),
  html_file: z.custom<File | null>((file) => file === null || (file instanceof File && isHtmlName(file.name)), {
    message: 'site.html_ending',
  }),
  deploy: z.boolean(),
});

/**
 * The values of the domain form; `expired_at` is a day or empty, `deploy` says whether a new domain gets a site at
 * once.
 */
export type DomainValues = z.input<typeof DomainFields>;

/** Validates with the same shape as the server, but sends the raw input: normalizing it is up to the server. */
export const domainResolver = zodResolver(DomainFields, undefined, { raw: true });

/** The same for an edit: an older domain keeps a name that no new one gets. */
export const editResolver = zodResolver(DomainFields.extend(DomainEdit.pick({ domain_name: true }).shape), undefined, {
  raw: true,
});

// An input without a value would become an empty text when it is drawn, and count as an edit.
const EMPTY = Object.fromEntries(Object.keys(DomainFields.shape).map((name) => [name, '']));

/** Returns the form values of a new domain: a field without a default is empty. */
export const newDomain = (project_id: number | null, type: DomainType = 'main'): DomainValues => ({
  ...EMPTY,
  domain_name: '',
  type,
  transfer_type: 'auto',
  project_id,
  server_id: null,
  cloudflare_account_id: null,
  registrars_id: null,
  template_id: null,
  html_file: null,
  deploy: false,
});

/** Returns the form values of an existing domain. Fields without an input are never dirty, so they are not sent. */
export const valuesOf = (domain: DomainDetail): DomainValues => ({
  ...domain,
  expired_at: domain.expired_at === null ? '' : expiryDay({ ...domain, expired_at: domain.expired_at }),
  html_file: null,
  deploy: false,
});

/** The form's fields without those of the site. */
type DomainOnly = Omit<DomainValues, 'template_id' | 'html_file' | 'deploy'>;

const withoutSite = ({ template_id: _1, html_file: _2, deploy: _3, ...fields }: DomainValues): DomainOnly => fields;

function multipart(
  fields: Partial<DomainOnly> & { was?: string },
  site: { template_id: number; html_file: File; deploy?: 'on' },
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, ...site })) {
    // Multipart has no null: an empty text stands for it.
    if (value !== undefined) form.set(name, value instanceof File ? value : String(value ?? ''));
  }
  return form;
}

/**
 * Returns the body for a new domain: multipart with template and page if `deploy` is on and both are given, else
 * without.
 */
export function newBody(values: DomainValues): FormData | DomainOnly {
  const { deploy, template_id, html_file } = values;
  if (!deploy || template_id === null || html_file === null) return withoutSite(values);
  return multipart(withoutSite(values), { template_id, html_file, deploy: 'on' });
}

/**
 * Returns the body of an edit: only the fields that were changed, with what they `was`. A new page is sent with its template; a changed template alone only if the domain has a page to fill, and deployed if it has a
 * server.
 */
export function changedBody(
  before: DomainDetail,
  values: DomainValues,
  { was }: { was: Record<string, unknown> },
): FormData | (Partial<DomainOnly> & { template_id?: number; deploy?: 'on'; was: Record<string, unknown> }) {
  const { template_id, html_file, server_id } = values;
  const changed = changesIn<DomainOnly>(valuesOf(before), withoutSite(values));
  if (template_id !== null && html_file !== null) {
    return multipart({ ...changed, was: JSON.stringify(was) }, { template_id, html_file });
  }
  const hasPage = before.html_file !== null;
  if (template_id === null || template_id === before.template_id || !hasPage) return { ...changed, was };
  return { ...changed, template_id, was, ...(server_id !== null && { deploy: 'on' }) };
}

/** Returns what a domain was in the fields that differ from it in a form; the page and its template are looked at by their own rule. */
export function changesOf(
  before: DomainDetail,
  values: DomainValues,
): Partial<DomainOnly & { template_id: number | null }> {
  const { template_id } = values;
  const changed = changesIn<DomainOnly>(valuesOf(before), withoutSite(values));
  return template_id === before.template_id ? changed : { ...changed, template_id };
}

/** Returns what a field of a domain holds, as a person reads it. */
export function useShown(): (domain: DomainDetail, field: string) => string {
  const { types, modes } = useDomainChoices();
  const labelOf = (choices: typeof types, value: string): string =>
    choices.find((choice) => choice.value === value)?.label ?? value;
  return (domain, field) => {
    const texts: Record<string, string | null> = {
      domain_name: domain.unicode_name,
      file_path: domain.file_path,
      type: labelOf(types, domain.type),
      transfer_type: labelOf(modes, domain.transfer_type),
      project_id: domain.project_name,
      server_id: domain.server_name,
      cloudflare_account_id: domain.cloudflare_account_name,
      registrars_id: domain.registrar_type,
      expired_at: valuesOf(domain).expired_at ?? null,
      template_id: domain.template_id === null ? null : `#${domain.template_id}`,
    };
    return texts[field] ?? '';
  };
}

/** Returns the types and modes of a domain as options. */
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
