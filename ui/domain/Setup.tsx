import type { ReactNode } from 'react';
import type { Key } from '../../src/shared/i18n/index.ts';
import type { DomainDetail } from '../../src/shared/portfolio/domains.ts';
import { useFormats } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { NoData } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';

function Row({ title, children }: { title: Key; children: ReactNode }) {
  return (
    <div>
      <dt>
        <T k={title} />
      </dt>
      <dd translate="no">{children ?? <NoData />}</dd>
    </div>
  );
}

/** Where a domain is registered, served and kept. */
export function Setup({ domain }: { domain: DomainDetail }) {
  const formats = useFormats();
  return (
    <Panel title={<T k="domain_page.setup" />}>
      <dl className="domain-setup">
        <Row title="domain_page.registrar">{domain.registrar_type}</Row>
        <Row title="domain_page.cloudflare">{domain.cloudflare_account_name}</Row>
        <Row title="domain_page.server">{domain.server_name}</Row>
        <Row title="domain_page.folder">{domain.file_path}</Row>
        <Row title="domain_page.user">{domain.user_login}</Row>
        <Row title="list.added">
          <time dateTime={domain.created_at}>{formats.date(domain.created_at)}</time>
        </Row>
      </dl>
    </Panel>
  );
}
