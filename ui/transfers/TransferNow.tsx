import { Card } from '@blueprintjs/core';
import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import { IndexTag } from '../domains/IndexTag.tsx';
import { HealthTag, RknTag } from '../domains/DomainState.tsx';
import { NoData } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';

/** The current state of the main domain, before the transfer. */
export function TransferNow({ domain }: { domain: DomainView }) {
  const { unicode_name, domain_name, status, last_block_check_at, server_name, transfer_dns } = domain;
  return (
    <Card className={`transfer-now ${status === 'blocked' ? 'transfer-blocked' : ''}`}>
      <h3 className="bp6-heading">
        <T k="transfer_dialog.now" />
      </h3>
      <p className="transfer-name" translate="no" title={domain_name}>
        {unicode_name}
      </p>
      <dl>
        <div>
          <dt>
            <T k="transfer_dialog.rkn" />
          </dt>
          <dd>
            <RknTag status={status} checked={last_block_check_at !== null} />
          </dd>
        </div>
        <div>
          <dt>
            <T k="transfer_dialog.http" />
          </dt>
          <dd>
            <HealthTag domain={domain} />
          </dd>
        </div>
        <div>
          <dt>
            <T k="sites.index" />
          </dt>
          <dd>
            <IndexTag domain={domain} />
          </dd>
        </div>
        <div>
          <dt>
            <T k="transfer_dialog.server" />
          </dt>
          <dd>{server_name ?? <NoData />}</dd>
        </div>
        <div>
          <dt>
            <T k="transfer_dialog.copy" />
          </dt>
          <dd>
            <T k={transfer_dns === 'on' ? 'transfer_dialog.copy_on' : 'transfer_dialog.copy_off'} />
          </dd>
        </div>
      </dl>
    </Card>
  );
}
