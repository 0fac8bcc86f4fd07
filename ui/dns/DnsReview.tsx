import { Callout } from '@blueprintjs/core';
import { wantedFrom } from '../../src/shared/dns/dns-diff.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { useT } from '../kit/language.ts';
import type { Meanwhile } from './dnsDraft.ts';
import { PlanLines } from '../operations/PlanLines.tsx';
import { planLines, type LineAct, type PlanLine } from '../../src/shared/dns/plan-words.ts';
import { T } from '../kit/T.tsx';
import type { DnsPlan } from './useDnsEditor.ts';

/** A plan as the act that it becomes. */
const actOf = ({ creates, updates, deletes }: DnsPlan): LineAct => ({
  act: 'dns',
  before: { records: [...deletes, ...updates.map(({ from }) => from)] },
  after: {
    created: creates,
    updated: updates.map(({ id, to }) => ({ id, record: to })),
    deleted: deletes.map(({ id }) => id),
  },
});

interface DnsReviewProps {
  plan: DnsPlan;
  zone: string;
  /** What the switch is changed to, if it is. */
  copyOnTransfer: 'on' | 'off' | undefined;
}

/** What saving would change, as the server found it by looking. */
export function DnsReview({ plan, zone, copyOnTransfer }: DnsReviewProps) {
  const t = useT();
  const lines = planLines(t, [actOf(plan)]);
  return (
    <section aria-labelledby="dns-plan">
      <h3 id="dns-plan" className="bp6-heading section-title">
        <T k="dns_editor.plan" zone={zone} />
      </h3>
      {plan.unsafe !== null && (
        <Callout intent="warning" className="dns-note">
          <T k="dns_editor.unsafe" n={plan.deletes.length} total={plan.total} />
        </Callout>
      )}
      {lines.length === 0 ? (
        <p>
          <T k="dns_editor.plan_none" />
        </p>
      ) : (
        <PlanLines lines={lines} />
      )}
      {copyOnTransfer && (
        <p className="plan-switch">
          <T k={copyOnTransfer === 'on' ? 'dns_editor.plan_copy_on' : 'dns_editor.plan_copy_off'} />
        </p>
      )}
    </section>
  );
}

/** What somebody else did to a record, as the act that it was. */
function actOfAnother({ from, to }: Meanwhile): LineAct {
  const updated = from && to ? [{ id: from.id, record: wantedFrom(to) }] : [];
  const created = from === null && to ? [wantedFrom(to)] : [];
  const deleted = from && to === null ? [from.id] : [];
  return { act: 'dns', before: { records: from ? [from] : [] }, after: { created, updated, deleted } };
}

/** What the edits here make of a record that somebody else has changed too. */
function mineOf({ to, mine }: Meanwhile): Key | null {
  if (mine === 'changed') return to === null ? 'dns_editor.mine_again' : 'dns_editor.mine_changed';
  return mine === 'deleted' && to !== null ? 'dns_editor.mine_deleted' : null;
}

/** What somebody else has done to the zone while it was edited here. */
export function DnsMeanwhile({ meanwhile, zone }: { meanwhile: readonly Meanwhile[]; zone: string }) {
  const t = useT();
  if (meanwhile.length === 0) return null;
  const lines = meanwhile.flatMap((one): PlanLine[] => {
    const mine = mineOf(one);
    return planLines(t, [actOfAnother(one)]).map(({ sign, what }) => ({
      sign,
      what: mine === null ? what : `${what} – ${t(mine)}`,
    }));
  });
  return (
    <Callout intent="warning" role="alert" className="dns-note">
      <T k="dns_editor.meanwhile" zone={zone} />
      <PlanLines lines={lines} />
    </Callout>
  );
}
