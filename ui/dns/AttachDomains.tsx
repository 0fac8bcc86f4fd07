import { Callout, TextArea } from '@blueprintjs/core';
import { useState, type FormEvent } from 'react';
import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import { ApiError, call, messageOf, refresh, useCall } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { AttachPlan, type AttachPlanned } from './AttachPlan.tsx';
import { parseAttachList, type AttachList } from './attachList.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { Combobox } from '../kit/form/Combobox.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { Failure, Field, submitOnKeys } from '../kit/form/Form.tsx';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';

// The first faulty lines are enough to find the mistakes.
const LINES_SHOWN = 10;

/** Counts the entries of the list: «42 → 41 корректных, 1 ошибка: строка 7». */
function ListCount({ list: { total, hosts, duplicates, faults } }: { list: AttachList }) {
  const t = useT();
  if (total === 0) return null;
  const lines = [...new Set(faults)];
  const named = lines.slice(0, LINES_SHOWN).join(', ') + (lines.length > LINES_SHOWN ? '…' : '');
  const parts = [
    t('page_rules.counted', { total, n: hosts.length }),
    ...(duplicates > 0 ? [t('page_rules.repeated', { n: duplicates })] : []),
    ...(faults.length > 0 ? [t('page_rules.wrong', { n: faults.length, lines: named })] : []),
  ];
  return <div className={faults.length > 0 ? 'bad' : ''}>{parts.join(', ')}</div>;
}

interface AttachProps {
  domain: DomainView;
  /** Whether something was typed, so that closing has to ask first. */
  onDirty: (dirty: boolean) => void;
}

/** Attaches a list of domains to a CDN account, each redirecting to this one; shows the plan before it sends. */
export function AttachDomains({ domain, onDirty }: AttachProps) {
  const t = useT();
  const accounts = useCall('GET /api/cloudflare_accounts');
  const servers = useCall('GET /api/servers');
  const [accountId, setAccountId] = useState(domain.cloudflare_account_id);
  const [serverId, setServerId] = useState(domain.server_id);
  const [text, setText] = useState('');
  const [warning, setWarning] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [plan, setPlan] = useState<AttachPlanned>();
  const error = accounts.error ?? servers.error;
  if (error) {
    const retry = (): void => void Promise.all([accounts.refetch(), servers.refetch()]);
    return <Failed sentence="page_rules.failed" reason={error.message} retry={retry} />;
  }
  if (!accounts.data || !servers.data) return <Skeleton label={t('ui.loading')} />;
  const list = parseAttachList(text);
  const account = accounts.data.data.find(({ id }) => id === accountId) ?? null;
  const server = servers.data.data.find(({ id }) => id === serverId) ?? null;
  const body = {
    accountId: account?.id ?? 0,
    domainName: domain.domain_name,
    ipAddress: server?.ssh_host ?? '',
    pageRules: list.hosts,
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      const said = messageOf(error);
      setFailure(said === t('ui.failed') ? t('page_rules.send_failed') : said);
      // The new plan appears under the message.
      if (error instanceof ApiError && error.code === 'plan_stale') await look().catch(() => setPlan(undefined));
    }
    setBusy(false);
  };
  const look = async (): Promise<void> => setPlan((await call('POST /api/manage_dns/plan', { body })).data);
  const send = (): Promise<void> =>
    attempt(async () => {
      await call('POST /api/manage_dns', { body: { ...body, plan: plan?.hash } });
      toast.success(t('page_rules.sent'));
      setPlan(undefined);
      setText('');
      onDirty(false);
      await refresh('GET /api/operations', 'GET /api/domain_page_rules/:id');
    });
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
    if (wrong === undefined) void attempt(look);
  };
  if (plan) {
    return (
      <AttachPlan
        plan={plan}
        busy={busy}
        failure={failure}
        onBack={() => {
          setFailure(undefined);
          setPlan(undefined);
        }}
        onSend={() => void send()}
      />
    );
  }
  return (
    // Key presses bubble up from the fields inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above
    <form noValidate aria-busy={busy} onSubmit={onSubmit} onKeyDown={submitOnKeys}>
      <div className="form-grid">
        <Combobox
          label={<T k="page_rules.account" />}
          items={accounts.data.data}
          value={account}
          onChange={(next) => setAccountId(next?.id ?? null)}
          text={({ name }) => name}
          placeholder={t('page_rules.no_account')}
        />
        <Combobox
          label={<T k="page_rules.server" />}
          items={servers.data.data}
          value={server}
          onChange={(next) => setServerId(next?.id ?? null)}
          text={({ name, ssh_host }) => `${name} — ${ssh_host}`}
          placeholder={t('page_rules.no_server')}
        />
      </div>
      <Field
        label={<T k="page_rules.domains" />}
        help={
          <>
            <T k="page_rules.domains_help" name={domain.unicode_name} />
            <span aria-live="polite">
              <ListCount list={list} />
            </span>
          </>
        }
      >
        {(control) => (
          <TextArea
            fill
            rows={8}
            spellCheck={false}
            {...control}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              onDirty(event.target.value.trim() !== '');
            }}
          />
        )}
      </Field>
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
