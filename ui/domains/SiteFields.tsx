import { HTMLSelect, Switch } from '@blueprintjs/core';
import { useEffect, useState } from 'react';
import { Controller, useController, type UseFormReturn } from 'react-hook-form';
import type { DomainDetail } from '../../src/shared/portfolio/domains.ts';
import { isHtmlName, MAX_HTML_BYTES } from '../../src/shared/sites/sites.ts';
import { PLACEHOLDERS, type Placeholder } from '../../src/shared/sites/templates.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import type { DomainValues } from './domainForm.ts';
import { FileDrop } from '../kit/form/FileDrop.tsx';
import { Field } from '../kit/form/Form.tsx';
import { SitePreview } from './SitePreview.tsx';
import { T } from '../kit/T.tsx';
import { toast, toastFailure, type ToastPlace } from '../kit/toasts.tsx';
import './SiteFields.css';

const SAID: Record<Placeholder, Key> = {
  SITE_URL: 'site_form.site_url',
  TITLE: 'site_form.title_word',
  DESCRIPTION: 'site_form.description_word',
  BODY: 'site_form.body_word',
};

function Placeholders() {
  return (
    <details>
      <summary>
        <T k="site_form.placeholders" />
      </summary>
      <dl className="placeholder-list">
        {PLACEHOLDERS.map((name) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>
              <code translate="no">{name}</code>
            </dt>
            <dd>
              <T k={SAID[name]} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

interface SiteProps {
  form: UseFormReturn<DomainValues>;
  place: ToastPlace;
  /** The domain to edit; absent for a new one, whose fields appear behind a switch. */
  domain?: DomainDetail | undefined;
}

function TemplateField({ form, place }: Omit<SiteProps, 'domain'>) {
  const t = useT();
  const { data, error: failure } = useCall('GET /api/templates');
  useEffect(() => {
    if (failure) toastFailure(t('templates.list_failed'), failure, { place });
  }, [failure, place, t]);
  return (
    <Controller
      control={form.control}
      name="template_id"
      render={({ field, fieldState }) => (
        <Field label={<T k="site_form.template" />} error={fieldState.error?.message}>
          {(control) => (
            <HTMLSelect
              fill
              {...control}
              ref={field.ref}
              value={field.value ?? ''}
              onBlur={field.onBlur}
              onChange={({ currentTarget: { value } }) => field.onChange(value === '' ? null : Number(value))}
            >
              <option value="">{t('site_form.no_template')}</option>
              {data?.data.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </HTMLSelect>
          )}
        </Field>
      )}
    />
  );
}

function PageField({ form, domain }: Omit<SiteProps, 'place'>) {
  const t = useT();
  const formats = useFormats();
  const { field, fieldState } = useController({ control: form.control, name: 'html_file' });
  const choose = (file: File | null): void => {
    field.onChange(file);
    form.clearErrors('html_file');
    // Checked before the upload; the server refuses the same files.
    if (file && !isHtmlName(file.name)) form.setError('html_file', { message: 'site.html_ending' });
    else if (file && file.size > MAX_HTML_BYTES) {
      form.setError('html_file', { message: t('site.html_too_large', { limit: formats.bytes(MAX_HTML_BYTES) }) });
    }
  };
  return (
    <FileDrop
      label={<T k="site_form.page" />}
      accept=".html,.htm"
      file={field.value}
      onChange={choose}
      none={domain?.html_file && <T k="site_form.kept" name={domain.html_file} />}
      error={fieldState.error?.message}
      help={<T k="site_form.page_help" />}
      inputRef={field.ref}
    />
  );
}

/** Deploys the stored site again, regardless of the form. */
function DeployAgain({ domain, place }: { domain: DomainDetail; place: ToastPlace }) {
  const t = useT();
  const formats = useFormats();
  const [busy, setBusy] = useState(false);
  const deploy = async (): Promise<void> => {
    setBusy(true);
    try {
      const { message } = await call('POST /api/domains/:id/deploy', { params: { id: domain.id }, body: {} });
      toast.info(message, { place });
      await refresh('GET /api/operations');
    } catch (error) {
      toastFailure(t('site_form.deploy_failed'), error, { place });
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <BusyButton busy={busy} onClick={() => void deploy()} text={<T k="site_form.deploy_again" />} />
      <span className="muted">
        {domain.deployed_at ? (
          <T k="site_form.deployed_at" time={formats.dateTime(domain.deployed_at)} />
        ) : (
          <T k="site_form.not_deployed" />
        )}
      </span>
    </>
  );
}

function Site({ form, place, domain }: SiteProps) {
  const [template_id, html_file, domain_name] = form.watch(['template_id', 'html_file', 'domain_name']);
  const hasPage = html_file !== null || Boolean(domain?.html_file);
  const isHalf = (template_id === null) !== (html_file === null);
  return (
    <>
      <div className="form-grid">
        <TemplateField form={form} place={place} />
        <PageField form={form} domain={domain} />
      </div>
      {isHalf && !(template_id !== null && hasPage) && (
        <output className="muted site-hint">
          <T k={template_id === null ? 'site_form.needs_template' : 'site_form.needs_page'} />
        </output>
      )}
      {template_id !== null && hasPage && !domain?.release && (
        <output className="muted site-hint">
          <T k="site_form.takes_folder" />
        </output>
      )}
      <div className="site-actions">
        {template_id !== null && (
          <SitePreview template_id={template_id} html_file={html_file} name={domain_name} domain={domain} />
        )}
        {domain?.html_file && <DeployAgain domain={domain} place={place} />}
      </div>
      <Placeholders />
    </>
  );
}

/** The fields of a domain's site. A new domain gets them only if there are templates, and behind a switch. */
export function SiteFields({ form, place, domain }: SiteProps) {
  const { data } = useCall('GET /api/templates');
  const deploys = form.watch('deploy');
  if (!domain && !data?.data.length) return null;
  return (
    <fieldset className="form-group-set">
      <legend>
        <T k="site_form.site" />
      </legend>
      {!domain && (
        <Switch
          checked={deploys}
          onChange={({ currentTarget }) => form.setValue('deploy', currentTarget.checked, { shouldDirty: true })}
          labelElement={<T k="site_form.deploy" />}
        />
      )}
      {(domain ?? deploys) && <Site form={form} place={place} domain={domain} />}
    </fieldset>
  );
}
