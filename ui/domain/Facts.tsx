import type { DomainDetail } from '../../src/shared/portfolio/domains.ts';
import { ExpiryDate, HealthTag, ModeText, RknTag } from '../domains/DomainState.tsx';
import { IndexTag } from '../domains/IndexTag.tsx';
import { Fact } from '../kit/Fact.tsx';
import { useT } from '../kit/language.ts';
import { NoData } from '../kit/Status.tsx';

/** The main facts of a domain, each as the lists show it. */
export function Facts({ domain }: { domain: DomainDetail }) {
  const t = useT();
  const { status, last_block_check_at, server_name, server_ip, transfer_type } = domain;
  return (
    <section className="panel" aria-label={t('domain_page.state')}>
      <dl className="domain-facts">
        <Fact title="list.rkn">
          <RknTag status={status} checked={last_block_check_at !== null} />
        </Fact>
        <Fact title="list.status">
          <HealthTag domain={domain} />
        </Fact>
        <Fact title="list.expiry">
          <ExpiryDate {...domain} />
        </Fact>
        <Fact title="domain_page.server">
          {server_name === null ? <NoData /> : server_name}{' '}
          {server_ip !== null && <span className="muted">{server_ip}</span>}
        </Fact>
        <Fact title="list.mode">
          <ModeText mode={transfer_type} />
        </Fact>
        <Fact title="sites.index">
          <IndexTag domain={domain} />
        </Fact>
      </dl>
    </section>
  );
}
