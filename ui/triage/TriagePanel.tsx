import type { Triage as TriageAnswer } from '../../src/shared/triage/triage.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { TickCircleIcon } from '../kit/icons.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { T } from '../kit/T.tsx';
import { Repaired, Trends } from './Course.tsx';
import { Triage } from './Triage.tsx';
import './Triage.css';

/** The id of the panel, the target of links that skip to it. */
export const TRIAGE_ID = 'triage';

/** The state of the portfolio in a sentence; a blank one, of the same height, while it is not known. */
export function TriageLead({ triage }: { triage: TriageAnswer | undefined }) {
  const formats = useFormats();
  if (!triage) return <span className="triage-lead">{'\u00A0'}</span>;
  const { total, names, all } = triage;
  if (total === 0) {
    return (
      <span className="triage-lead">
        <T k="triage.calm" of={formats.number(all)} />
      </span>
    );
  }
  return (
    <span className="triage-lead">
      <strong>
        <T k="triage.lead_items" n={total} />
      </strong>{' '}
      <T k="triage.lead_names" names={names} of={all} />
    </span>
  );
}

interface TriagePanelProps {
  triage: TriageAnswer | undefined;
  /** The message of a triage that could not be read. */
  failure: string | undefined;
  retry: () => void;
  /** Whether "nothing is wrong" was looked at. */
  isChecked: boolean;
}

/** The items that need a person, and beside them the repairs and the trends of thirty days. */
export function TriagePanel({ triage, failure, retry, isChecked }: TriagePanelProps) {
  const t = useT();
  const isCalm = triage?.total === 0;
  return (
    <div id={TRIAGE_ID} tabIndex={-1} className={triage ? 'triage-columns' : ''}>
      {failure !== undefined && !triage && <Failed sentence="triage.failed" reason={failure} retry={retry} />}
      {failure === undefined && !triage && (
        <div className="triage-loading">
          <Panel flush title={<T k="triage.title" />}>
            <Skeleton label={t('ui.loading')} />
          </Panel>
        </div>
      )}
      {triage && !isCalm && <Triage triage={triage} />}
      {isCalm && (
        <div className="triage-calm">
          <Panel flush title={<T k="triage.title" />} count="0">
            <EmptyState icon={isChecked ? <TickCircleIcon size={20} className="good" /> : undefined}>
              <T k={isChecked ? 'triage.calm_text' : 'triage.calm_unknown'} />
            </EmptyState>
          </Panel>
        </div>
      )}
      {triage && (
        <div>
          <Repaired repaired={triage.repaired} />
          <Trends trends={triage.trends} />
        </div>
      )}
    </div>
  );
}
