import { Callout } from '@blueprintjs/core';
import { useState, type FormEvent } from 'react';
import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import { useT } from '../kit/language.ts';
import { AttachListField } from './AttachListField.tsx';
import { AttachPlan } from './AttachPlan.tsx';
import { AttachTargetFields, useAttachTarget } from './AttachTarget.tsx';
import { parseAttachList } from './attachList.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { Failure, submitOnKeys } from '../kit/form/Form.tsx';
import { T } from '../kit/T.tsx';
import { useAttach } from './useAttach.ts';

interface AttachProps {
  domain: DomainView;
  /** Whether something was typed, so that closing has to ask first. */
  onDirty: (dirty: boolean) => void;
}

/** Attaches a list of domains to a CDN account, each redirecting to this one; shows the plan before it sends. */
export function AttachDomains({ domain, onDirty }: AttachProps) {
  const t = useT();
  const { account, server, choices, setAccountId, setServerId, error, retry } = useAttachTarget(domain);
  const [text, setText] = useState('');
  const [warning, setWarning] = useState<string>();
  const list = parseAttachList(text);
  const onText = (next: string): void => {
    setText(next);
    onDirty(next.trim() !== '');
  };
  const { plan, busy, failure, review, send, back } = useAttach(
    {
      accountId: account?.id ?? 0,
      domainName: domain.domain_name,
      ipAddress: server?.ssh_host ?? '',
      pageRules: list.hosts,
    },
    () => onText(''),
  );
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    const isIncomplete = !account || !server || text.trim() === '';
    const wrong = isIncomplete
      ? t('page_rules.fill_all')
      : list.hosts.length === 0
        ? t('page_rules.no_valid')
        : undefined;
    setWarning(wrong);
    if (wrong === undefined) void review();
  };
  if (error) return <Failed sentence="page_rules.failed" reason={error.message} retry={retry} />;
  if (!choices) return <Skeleton label={t('ui.loading')} />;
  if (plan) return <AttachPlan plan={plan} busy={busy} failure={failure} onBack={back} onSend={() => void send()} />;
  return (
    // Key presses bubble up from the fields inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above
    <form noValidate aria-busy={busy} onSubmit={onSubmit} onKeyDown={submitOnKeys}>
      <AttachTargetFields {...{ choices, account, server }} onAccount={setAccountId} onServer={setServerId} />
      <AttachListField name={domain.unicode_name} text={text} list={list} onChange={onText} />
      {warning !== undefined && (
        <Callout intent="warning" role="alert" compact className="form-failure">
          {warning}
        </Callout>
      )}
      <Failure text={failure} />
      <div className="attach-actions">
        <BusyButton type="submit" intent="primary" busy={busy} text={<T k="page_rules.send" />} />
      </div>
    </form>
  );
}
