import { Callout } from '@blueprintjs/core';
import { wantedFrom } from '../../../src/shared/dns/dns-diff.ts';
import type { Key } from '../../../src/shared/i18n/index.ts';
import { useT } from '../../kit/language.ts';
import type { Meanwhile } from './dnsDraft.ts';
import { PlanLines } from '../../operations/PlanLines.tsx';
import { planLines, type LineAct, type PlanLine } from '../../../src/shared/dns/plan-words.ts';
import { T } from '../../kit/T.tsx';
import type { DnsPlan } from './useDnsEditor.ts';

/** Converts a plan into the act that saving would make. */
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
  /** The new value of the switch; undefined if unchanged. */
  copyOnTransfer: 'on' | 'off' | undefined;
}

/** Shows the changes that saving would make, as planned by the server. */
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

/** Converts somebody else's change of a record into an act. */
function actOfAnother({ from, to }: Meanwhile): LineAct {
  const updated = from && to ? [{ id: from.id, record: wantedFrom(to) }] : [];
  const created = from === null && to ? [wantedFrom(to)] : [];
  const deleted = from && to === null ? [from.id] : [];
  return { act: 'dns', before: { records: from ? [from] : [] }, after: { created, updated, deleted } };
}

/** Returns the text that says what saving this draft does to a record that somebody else has changed. */
function mineOf({ to, mine }: Meanwhile): Key | null {
  if (mine === 'changed') return to === null ? 'dns_editor.mine_again' : 'dns_editor.mine_changed';
  return mine === 'deleted' && to !== null ? 'dns_editor.mine_deleted' : null;
}

/** Shows what somebody else changed in the zone since it was read. */
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
