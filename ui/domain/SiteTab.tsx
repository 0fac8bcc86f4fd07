import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import type { DomainDetail } from '../../src/shared/portfolio/domains.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { Fact } from '../kit/Fact.tsx';
import { EditIcon } from '../kit/icons.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { NoData } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';

/** Deploys the stored site; the tray shows the progress. */
function DeployAgain({ id, deploying }: { id: number; deploying: number | null }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const deploy = async (): Promise<void> => {
    setBusy(true);
    try {
      const { message } = await call('POST /api/domains/:id/deploy', { params: { id }, body: {} });
      toast.info(message);
      await refresh('GET /api/operations', 'GET /api/domains/:id/site');
    } catch (error) {
      toastFailure(t('site_form.deploy_failed'), error);
    }
    setBusy(false);
  };
  return (
    <BusyButton
      busy={busy || deploying !== null}
      text={<T k="site_form.deploy_again" />}
      onClick={() => void deploy()}
    />
  );
}

/** The template, page, server and folder of a domain's site, and its live release. */
export function SiteTab({ domain }: { domain: DomainDetail }) {
  const t = useT();
  const formats = useFormats();
  const { id, server_name, file_path } = domain;
  const { open } = useUrlDialog('domain');
  const { data, error, refetch } = useCall('GET /api/domains/:id/site', { params: { id } });
  const edit = <Button icon={<EditIcon />} text={<T k="domain_page.edit_site" />} onClick={() => open(id)} />;
  if (error) return <Failed sentence="domain_page.site_failed" reason={error.message} retry={() => void refetch()} />;
  if (!data) return <Skeleton label={t('ui.loading')} />;
  const site = data.data;
  if (!site) {
    return (
      <EmptyState action={edit}>
        <T k="domain_page.no_site" />
      </EmptyState>
    );
  }
  return (
    <>
      <dl className="domain-setup">
        <Fact title="site_form.template">{site.template_name}</Fact>
        <Fact title="site_form.page">
          {site.html_name === '' ? <NoData /> : `${site.html_name}, ${formats.bytes(site.html_bytes)}`}
        </Fact>
        <Fact title="domain_page.server">{server_name ?? <NoData />}</Fact>
        <Fact title="domain_page.folder">
          <span translate="no">{file_path}</span>
        </Fact>
        <Fact title="domain_page.release">
          {site.release === null ? <NoData /> : <code translate="no">{site.release}</code>}
        </Fact>
        <Fact title="domain_page.deployed">
          {site.deployed_at === null ? <T k="site_form.not_deployed" /> : formats.dateTime(site.deployed_at)}
        </Fact>
      </dl>
      <div className="site-actions domain-tab-foot">
        {edit}
        <DeployAgain id={id} deploying={site.deploying} />
      </div>
    </>
  );
}
