import type { DomainDetail } from '../../src/shared/portfolio/domains.ts';
import { Fact } from '../kit/Fact.tsx';
import { useFormats } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';

/** Where a domain is registered, served and kept. */
export function Setup({ domain }: { domain: DomainDetail }) {
  const formats = useFormats();
  return (
    <Panel title={<T k="domain_page.setup" />}>
      <dl className="domain-setup">
        <Fact verbatim title="domain_page.registrar">
          {domain.registrar_type}
        </Fact>
        <Fact verbatim title="domain_page.cloudflare">
          {domain.cloudflare_account_name}
        </Fact>
        <Fact verbatim title="domain_page.server">
          {domain.server_name}
        </Fact>
        <Fact verbatim title="domain_page.folder">
          {domain.file_path}
        </Fact>
        <Fact verbatim title="domain_page.user">
          {domain.user_login}
        </Fact>
        <Fact verbatim title="list.added">
          <time dateTime={domain.created_at}>{formats.date(domain.created_at)}</time>
        </Fact>
      </dl>
    </Panel>
  );
}
