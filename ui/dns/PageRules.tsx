import { Tab, Tabs } from '@blueprintjs/core';
import { useState } from 'react';
import type { DomainDetail } from '../../src/shared/portfolio/domains.ts';
import { useCall } from '../kit/api.ts';
import { AttachDomains } from './AttachDomains.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { RuleList } from './RuleList.tsx';
import { T } from '../kit/T.tsx';
import { useT } from '../kit/language.ts';
import { useAskedClose } from '../kit/dialog/useAskedClose.tsx';
import './PageRules.css';

/** The rules of a domain's zone, and the form that attaches other domains to it. */
export function PageRules({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useT();
  const [dirty, setDirty] = useState(false);
  const { close, question } = useAskedClose(dirty, onClose);
  const { data, error, isFetching, refetch } = useCall('GET /api/domains/:id', { params: { id } }, { anew: true });
  const domain = data?.data;
  // The form begins with the domain's own account and server, as they are now.
  const [first, setFirst] = useState<DomainDetail>();
  if (data && !isFetching && !error && !first) setFirst(data.data);
  const attach = first ? (
    <AttachDomains domain={first} onDirty={setDirty} />
  ) : error && !isFetching ? (
    <Failed sentence="page_rules.failed" reason={error.message} retry={() => void refetch()} />
  ) : (
    <Skeleton label={t('ui.loading')} />
  );
  const title = domain ? t('page_rules.title', { name: domain.unicode_name }) : t('sites.rules');
  return (
    <InfoDialog width={900} title={title} onClose={close}>
      <Tabs id="page-rules" className="page-rules">
        <Tab id="rules" title={<T k="page_rules.tab_rules" />} panel={<RuleList id={id} domain={domain} />} />
        <Tab id="attach" title={<T k="page_rules.tab_attach" />} panel={attach} />
      </Tabs>
      {question}
    </InfoDialog>
  );
}
