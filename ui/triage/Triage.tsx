import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type RefObject } from 'react';
import { TRIAGE_KINDS } from '../../src/shared/triage/kinds.ts';
import type { Triage as TriageAnswer, TriageItem } from '../../src/shared/triage/triage.ts';
import { useFormats } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';
import { keysAreOn } from '../kit/useKeys.ts';
import { TriageGroup } from './TriageGroup.tsx';
import { useTriageActs } from './useTriageActs.tsx';
import './Triage.css';

const actIn = (row: Element | null | undefined): HTMLElement | null | undefined =>
  row?.querySelector<HTMLElement>('.triage-act');

/** Moves the focus by a row with an arrow key; J and K are the keys of every list. */
function onArrow(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const rows = [...event.currentTarget.querySelectorAll('[data-index]')];
  const at = rows.findIndex((row) => row.contains(event.target as Node));
  if (at < 0) return;
  event.preventDefault();
  actIn(rows[at + by])?.focus();
}

/** Keeps which row is current, which is the one that had the focus last. Where it leaves the list while it has the focus, the row in its place takes it. */
function useCurrent(items: readonly TriageItem[], list: RefObject<HTMLElement | null>) {
  const [chosen, setChosen] = useState('');
  const focused = useRef<{ key: string; index: number }>(undefined);
  const current = items.find(({ key }) => key === chosen)?.key ?? items[0]?.key;
  useEffect(() => {
    const { key, index } = focused.current ?? {};
    if (key === undefined || index === undefined || items.some((item) => item.key === key)) return;
    focused.current = undefined;
    const rows = list.current?.querySelectorAll('[data-index]');
    if (document.activeElement === document.body) actIn(rows?.item(Math.min(index, rows.length - 1)))?.focus();
  }, [items, list]);
  return {
    current,
    onFocus: ({ target }: FocusEvent): void => {
      const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? -1);
      const key = items[index]?.key;
      if (key === undefined) return;
      focused.current = { key, index };
      setChosen(key);
    },
    // A row that leaves the list loses the focus as well, but is no longer in the page after that.
    onBlur: ({ target }: FocusEvent): void => {
      const left = focused.current;
      setTimeout(() => {
        const isGone = target.isConnected && document.activeElement !== target;
        if (isGone && focused.current === left) focused.current = undefined;
      });
    },
  };
}

function Keys() {
  return (
    <span className="triage-keys" aria-hidden="true">
      <kbd>J</kbd> <kbd>K</kbd> <T k="triage.key_row" /> <kbd>Enter</kbd> <T k="triage.key_act" />
    </span>
  );
}

/** The items that need a person, by kind and weight, each row with its one act. `triage` has at least one item. */
export function Triage({ triage: { items, total, counts } }: { triage: TriageAnswer }) {
  const formats = useFormats();
  const list = useRef<HTMLDivElement>(null);
  const { current, onFocus, onBlur } = useCurrent(items, list);
  const { act, isRunning, dialogs } = useTriageActs();
  return (
    <Panel flush title={<T k="triage.title" />} count={formats.number(total)} aside={keysAreOn() && <Keys />}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys and focus bubble up from the rows */}
      <div ref={list} onKeyDown={onArrow} onFocus={onFocus} onBlur={onBlur}>
        {TRIAGE_KINDS.filter((kind) => items.some((item) => item.kind === kind)).map((kind) => (
          <TriageGroup
            key={kind}
            kind={kind}
            count={counts[kind]}
            items={items.flatMap((item, index) => (item.kind === kind ? [{ item, index }] : []))}
            current={current}
            isRunning={isRunning}
            onAct={act}
          />
        ))}
      </div>
      {dialogs}
    </Panel>
  );
}
