import { Callout } from '@blueprintjs/core';
import { useState, type FormEvent } from 'react';
import type { Started } from '../../src/shared/operations.ts';
import { ApiError, call, type AnswerOf } from '../kit/api.ts';
import type { DnsChangeBody } from './dnsChange.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { PlanLines, PlanNote } from '../operations/PlanLines.tsx';
import { planLines } from '../../src/shared/dns/plan-words.ts';
import { Message, T } from '../kit/T.tsx';
import { useT } from '../kit/language.ts';

export type DnsPlanned = AnswerOf<'POST /api/manage_dns/plan'>['data'];

/** The answer of a change. The contract promises neither a message nor that there is an operation to follow. */
export type DnsStarted = Partial<Started>;

interface DnsPlanProps {
  body: DnsChangeBody;
  plan: DnsPlanned;
  /** Returns the message to show for an error. */
  reasonOf: (error: unknown) => string;
  onStarted: (started: DnsStarted) => void;
  onClose: () => void;
}

/** Shows the plan of a DNS change before it runs, and the new plan if the zone has changed meanwhile. */
export function DnsPlan({ body, plan: first, reasonOf, onStarted, onClose }: DnsPlanProps) {
  const t = useT();
  const [plan, setPlan] = useState(first);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const lines = planLines(t, plan.acts);
  const apply = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      onStarted(await call('POST /api/manage_dns', { body: { ...body, plan: plan.hash } }));
    } catch (error) {
      setFailure(reasonOf(error));
      const isStale = error instanceof ApiError && error.code === 'plan_stale';
      const anew = isStale ? await call('POST /api/manage_dns/plan', { body }).catch(() => undefined) : undefined;
      if (anew) setPlan(anew.data);
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) void apply();
  };
  return (
    <FormDialog
      width={640}
      title={<T k="dns_change.plan_title" domain={body.domainName} />}
      action={lines.length > 0 ? <T k="dns_change.apply" n={lines.length} /> : <T k="dns_change.apply_anyway" />}
      submit={{ onSubmit, busy, failure }}
      onClose={onClose}
    >
      {lines.length > 0 && <PlanLines lines={lines} />}
      <PlanNote acts={plan.acts} />
      {lines.length === 0 && plan.failed.length === 0 && (
        <p>
          <T k="plan.nothing" />
        </p>
      )}
      {plan.failed.map(({ item, error }) => (
        <Callout key={item} compact intent="warning" className="form-failure">
          <Message text={error} />
        </Callout>
      ))}
    </FormDialog>
  );
}
