import { Button, Callout } from '@blueprintjs/core';
import { toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import type { AnswerOf } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { Failure } from '../kit/form/Form.tsx';
import { PlanLines, PlanNote } from '../operations/PlanLines.tsx';
import { planLines, type PlanLine } from '../../src/shared/dns/plan-words.ts';
import { Message, T } from '../kit/T.tsx';

export type AttachPlanned = AnswerOf<'POST /api/manage_dns/plan'>['data'];

// `dns zone` or `dns zone domain`: the domain is the last word.
const domainOf = (item: string): string => toUnicode(item.split(' ').at(-1) ?? item);

/** Groups the changes by the domain that they serve. */
function useGroups({ acts }: AttachPlanned): [domain: string, lines: PlanLine[]][] {
  const t = useT();
  const groups = new Map<string, PlanLine[]>();
  for (const act of acts) {
    const domain = domainOf(act.item);
    const lines: PlanLine[] =
      act.act === 'rule'
        ? [{ sign: 'create', what: t('page_rules.plan_rule', act.after as { to: string }) }]
        : planLines(t, [act]);
    groups.set(domain, [...(groups.get(domain) ?? []), ...lines]);
  }
  return [...groups];
}

interface AttachPlanProps {
  plan: AttachPlanned;
  busy: boolean;
  failure: string | undefined;
  onBack: () => void;
  onSend: () => void;
}

/** Shows the changes that attaching would make, by domain, before it is sent. */
export function AttachPlan({ plan, busy, failure, onBack, onSend }: AttachPlanProps) {
  const groups = useGroups(plan);
  const n = groups.reduce((sum, [, lines]) => sum + lines.length, 0);
  const { failed, unchanged } = plan;
  return (
    <section aria-labelledby="attach-plan">
      <h3 id="attach-plan" className="bp6-heading section-title">
        <T k="page_rules.plan" />
      </h3>
      {n === 0 && failed.length === 0 && (
        <p>
          <T k="page_rules.plan_none" />
        </p>
      )}
      <div className="attach-groups">
        {groups.map(([domain, lines]) => (
          <div key={domain}>
            <strong translate="no">{domain}</strong>
            <PlanLines lines={lines} />
          </div>
        ))}
      </div>
      <PlanNote acts={plan.acts} />
      {n > 0 && unchanged > 0 && (
        <p className="muted">
          <T k="page_rules.plan_unchanged" n={unchanged} />
        </p>
      )}
      {failed.length > 0 && (
        <Callout intent="warning" className="attach-failed">
          <T k="page_rules.plan_failed" n={failed.length} />
          <ul>
            {failed.map(({ item, error }) => (
              <li key={item}>
                <span translate="no">{domainOf(item)}</span>: <Message text={error} />
              </li>
            ))}
          </ul>
        </Callout>
      )}
      <Failure text={failure} />
      <div className="attach-actions">
        <Button disabled={busy} text={<T k="page_rules.back" />} onClick={onBack} />
        {n > 0 && (
          <BusyButton
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the next step of what was pressed a moment ago
            autoFocus
            intent="primary"
            busy={busy}
            text={<T k="page_rules.send_n" n={n} />}
            onClick={onSend}
          />
        )}
      </div>
    </section>
  );
}
