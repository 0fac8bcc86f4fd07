import { HTMLTable } from '@blueprintjs/core';
import { TrashIcon } from '../kit/icons.tsx';
import { useState } from 'react';
import type { PageRuleView } from '../../src/shared/dns/rules.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { Confirm } from '../kit/dialog/Confirm.tsx';
import { useT } from '../kit/language.ts';
import { ChangeDnsLink } from './ChangeDnsLink.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { IconAction } from '../kit/IconAction.tsx';
import { removeWithUndo } from '../kit/dialog/removal.ts';
import { restoreOperation } from '../operations/restore.ts';
import { T } from '../kit/T.tsx';

const targetOf = ({ targets }: PageRuleView): string => targets.map(({ constraint }) => constraint.value).join(', ');

/** Shows the action of a rule: a redirect, a security level, or else the raw value. */
function ActionText({ id, value }: PageRuleView['actions'][number]) {
  if (id === 'forwarding_url') {
    const { url, status_code } = value as { url: string; status_code: number };
    return <T k="page_rules.forwarding" url={url} code={status_code} />;
  }
  if (id === 'security_level') return <T k="page_rules.security_level" level={String(value)} />;
  return <span translate="no">{value === undefined ? id : `${id}: ${JSON.stringify(value)}`}</span>;
}

/** A green dot for an active rule, a red one for any other state, with the word beside it. */
function StatusDot({ status }: { status: string }) {
  return (
    <span className="rule-status" translate="no">
      <span aria-hidden="true" className={`rule-dot ${status === 'active' ? 'good' : 'bad'}`} />
      {status}
    </span>
  );
}

/** Returns a function that deletes a rule and offers an undo. */
function useRemoveRule(domainId: number): (rule: PageRuleView) => Promise<void> {
  const t = useT();
  return ({ id: ruleId }) => {
    let operation: number | undefined;
    return removeWithUndo({
      remove: async () => {
        const answer = await call('DELETE /api/domain_page_rules/:domainId/:ruleId', { params: { domainId, ruleId } });
        operation = answer.operation.id;
        return { message: t('rules.deleted') };
      },
      restore: () => (operation === undefined ? Promise.resolve() : restoreOperation(operation)),
      refresh: () => refresh('GET /api/domain_page_rules/:id'),
      words: {
        failed: t('page_rules.delete_failed'),
        undo: t('projects.undo'),
        undoFailed: t('page_rules.undo_failed'),
      },
      place: 'top',
    });
  };
}

function Rules({ rules, onDelete }: { rules: readonly PageRuleView[]; onDelete: (rule: PageRuleView) => void }) {
  const t = useT();
  return (
    <HTMLTable compact className="rule-table" aria-label={t('page_rules.tab_rules')}>
      <thead>
        <tr>
          {(['target', 'action', 'status'] as const).map((header) => (
            <th key={header} scope="col">
              <T k={`page_rules.${header}`} />
            </th>
          ))}
          <th scope="col">
            <span className="visually-hidden">{t('sites.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rules.map((rule) => (
          <tr key={rule.id}>
            <td translate="no">{targetOf(rule)}</td>
            <td>
              {rule.actions.map((action) => (
                <div key={action.id}>
                  <ActionText {...action} />
                </div>
              ))}
            </td>
            <td>
              <StatusDot status={rule.status} />
            </td>
            <td>
              <IconAction
                icon={<TrashIcon />}
                action={t('sites.delete')}
                name={targetOf(rule)}
                onClick={() => onDelete(rule)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </HTMLTable>
  );
}

// Longer lists open on a press.
const SHOWN = 10;

/** The names whose zones forward to the domain: they may be in nobody's portfolio. */
function Attached({ names }: { names: readonly string[] }) {
  return (
    <details className="attached-names" open={names.length <= SHOWN}>
      <summary>
        <T k="page_rules.attached" n={names.length} />
      </summary>
      <ul translate="no">
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </details>
  );
}

/** The rules of a domain's zone; each can be deleted, and the deletion undone. */
export function RuleList({ id, domain }: { id: number; domain: { domain_name: string } | undefined }) {
  const t = useT();
  const [asked, setAsked] = useState<PageRuleView>();
  const [busy, setBusy] = useState(false);
  const remove = useRemoveRule(id);
  const { data, error, refetch } = useCall('GET /api/domain_page_rules/:id', { params: { id } });
  const onConfirm = async (rule: PageRuleView): Promise<void> => {
    setBusy(true);
    await remove(rule);
    setBusy(false);
    setAsked(undefined);
  };
  if (error) {
    return (
      <>
        <Failed sentence="page_rules.failed" reason={error.message} retry={() => void refetch()} />
        <ChangeDnsLink error={error} domain={domain} />
      </>
    );
  }
  if (!data) return <Skeleton label={t('ui.loading')} />;
  const rules = data.data.result;
  return (
    <>
      {rules.length === 0 ? (
        <EmptyState>
          <T k="page_rules.none" />
        </EmptyState>
      ) : (
        <Rules rules={rules} onDelete={setAsked} />
      )}
      {data.data.attached.length > 0 && <Attached names={data.data.attached} />}
      {asked && (
        <Confirm
          title={<T k="page_rules.delete_title" target={targetOf(asked)} />}
          confirm={<T k="sites.delete" />}
          busy={busy}
          onCancel={() => setAsked(undefined)}
          onConfirm={() => void onConfirm(asked)}
        >
          <T k="page_rules.delete_text" />
        </Confirm>
      )}
    </>
  );
}
