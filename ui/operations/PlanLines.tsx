import { Callout } from '@blueprintjs/core';
import { AddIcon, MinusIcon, SwapHorizontalIcon } from '../kit/icons.tsx';
import type { ReactElement } from 'react';
import type { Key } from '../../src/shared/i18n/index.ts';
import './PlanLines.css';
import { planNote, type LineAct, type PlanLine } from '../../src/shared/dns/plan-words.ts';
import { T } from '../kit/T.tsx';

const SIGNS: Record<PlanLine['sign'], { word: Key; look: string; icon: ReactElement }> = {
  create: { word: 'plan.create', look: 'good', icon: <AddIcon /> },
  change: { word: 'plan.change', look: 'doubtful', icon: <SwapHorizontalIcon /> },
  delete: { word: 'plan.delete', look: 'bad', icon: <MinusIcon /> },
};

/** Tells what a plan leaves out, if anything. */
export function PlanNote({ acts }: { acts: readonly LineAct[] }) {
  const note = planNote(acts);
  return (
    note && (
      <Callout compact intent="warning" className="plan-note">
        <T k={note.key} {...note.params} />
      </Callout>
    )
  );
}

/** Lists the objects that are created, changed and deleted. */
export function PlanLines({ lines }: { lines: readonly PlanLine[] }) {
  return (
    <ul className="plan-lines">
      {lines.map(({ sign, what }) => {
        const { word, look, icon } = SIGNS[sign];
        return (
          <li key={`${sign} ${what}`}>
            <span className={`plan-sign ${look}`}>
              {icon} <T k={word} />
            </span>
            <span className="plan-what">{what}</span>
          </li>
        );
      })}
    </ul>
  );
}
