import { Controller, type UseFormReturn } from 'react-hook-form';
import type { DomainDetail } from '../../src/shared/portfolio/domains.ts';
import { useDomainChoices, type DomainValues } from './domainForm.ts';
import { DomainNameField } from './DomainNameField.tsx';
import { TextField } from '../kit/form/Form.tsx';
import { ProjectField } from './ProjectField.tsx';
import { SelectField } from '../kit/form/SelectField.tsx';
import { SiteFields } from './SiteFields.tsx';
import { T } from '../kit/T.tsx';
import { cloudflareKind } from '../../src/shared/accounts/cloudflare-accounts.ts';
import { registrarKind } from '../../src/shared/accounts/registrars.ts';
import { serverKind } from '../../src/shared/accounts/servers.ts';
import { AccountField } from '../accounts/AccountField.tsx';
import type { ToastPlace } from '../kit/toasts.tsx';

interface FieldsProps {
  form: UseFormReturn<DomainValues>;
  place: ToastPlace;
  before?: string;
  /** The domain to edit; absent for a new one. */
  domain?: DomainDetail;
  onName?: (name: string) => void;
}

/** The fields of a domain in three groups; with a `domain`, those of its site are the ones for an edit. */
export function DomainFields({ form, place, before, domain, onName }: FieldsProps) {
  const { types, modes } = useDomainChoices();
  return (
    <>
      <fieldset className="form-group-set">
        <legend>
          <T k="site_form.domain" />
        </legend>
        <DomainNameField control={form.control} before={before} onType={onName} />
        <div className="form-grid">
          <SelectField form={form} name="type" label={<T k="domain_form.type" />} options={types} />
          <SelectField form={form} name="transfer_type" label={<T k="domain_form.mode" />} options={modes} />
          <Controller
            control={form.control}
            name="project_id"
            render={({ field, fieldState }) => (
              <ProjectField value={field.value} onChange={field.onChange} error={fieldState.error?.message} />
            )}
          />
          <Controller
            control={form.control}
            name="registrars_id"
            render={({ field, fieldState }) => (
              <AccountField
                kind={registrarKind}
                value={field.value}
                onChange={field.onChange}
                error={fieldState.error?.message}
                place={place}
              />
            )}
          />
          <TextField form={form} name="expired_at" label={<T k="domain_form.expiry" />} type="date" max="2199-12-31" />
        </div>
      </fieldset>
      <fieldset className="form-group-set">
        <legend>
          <T k="site_form.hosting" />
        </legend>
        <Hosting form={form} place={place} />
      </fieldset>
      <SiteFields form={form} place={place} domain={domain} />
    </>
  );
}

function Hosting({ form, place }: Pick<FieldsProps, 'form' | 'place'>) {
  return (
    <>
      <div className="form-grid">
        <Controller
          control={form.control}
          name="server_id"
          render={({ field, fieldState }) => (
            <AccountField
              kind={serverKind}
              value={field.value}
              onChange={field.onChange}
              error={fieldState.error?.message}
              place={place}
            />
          )}
        />
        <Controller
          control={form.control}
          name="cloudflare_account_id"
          render={({ field, fieldState }) => (
            <AccountField
              kind={cloudflareKind}
              value={field.value}
              onChange={field.onChange}
              error={fieldState.error?.message}
              place={place}
            />
          )}
        />
      </div>
      <TextField
        form={form}
        name="file_path"
        label={<T k="domain_form.path" />}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </>
  );
}
