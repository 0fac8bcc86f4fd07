import { EyeOpenIcon } from '../kit/icons.tsx';
import { useState } from 'react';
import type { DomainDetail } from '../../src/shared/portfolio/domains.ts';
import { call } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { T } from '../kit/T.tsx';
import { toastFailure } from '../kit/toasts.tsx';

interface SitePreviewProps {
  template_id: number;
  html_file: File | null;
  /** The name as typed; empty, an example is used instead. */
  name: string;
  domain?: DomainDetail | undefined;
}

/** A button that previews the site to be deployed in a sandboxed frame. */
export function SitePreview({ template_id, html_file, name, domain }: SitePreviewProps) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [url, setUrl] = useState<string>();
  const show = async (): Promise<void> => {
    setBusy(true);
    try {
      const body = new FormData();
      body.set('template_id', String(template_id));
      body.set('domain_name', name || 'example.com');
      if (domain) body.set('domain_id', String(domain.id));
      if (html_file) body.set('html_file', html_file);
      setUrl((await call('POST /api/site_previews', { body })).url);
    } catch (error) {
      toastFailure(t('site_form.preview_failed'), error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <BusyButton busy={busy} icon={<EyeOpenIcon />} onClick={() => void show()} text={<T k="site_form.preview" />} />
      {url !== undefined && (
        <InfoDialog width={900} title={<T k="site_form.preview_of" name={name} />} onClose={() => setUrl(undefined)}>
          <iframe className="site-preview" sandbox="" src={url} title={t('site_form.preview_of', { name })} />
        </InfoDialog>
      )}
    </>
  );
}
