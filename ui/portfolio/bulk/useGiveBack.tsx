import { Button, Callout } from '@blueprintjs/core';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { BulkResult } from '../../../src/shared/system/bulk.ts';
import { call, messageOf } from '../../kit/api.ts';
import { BusyButton } from '../../kit/BusyButton.tsx';
import { CrossIcon, TickIcon, UndoIcon } from '../../kit/icons.tsx';
import { useFormats, useT } from '../../kit/language.ts';
import { Message, T } from '../../kit/T.tsx';
import { refreshDomains } from '../../operations/operations.ts';
import './bulk.css';

/** The result of an act on many domains; with `operations` it has only begun. */
export type Done = Pick<BulkResult, 'undo' | 'left'> & { operations?: true };

interface Told {
  text: string;
  /** The number of the change that can be undone; null: none. */
  undo: number | null;
  /** It goes on as an operation. */
  operations?: boolean | undefined;
}

interface ToldLineProps {
  told: Told;
  /** The undo is running. */
  busy: boolean;
  onGiveBack: (id: number) => void;
  onClose: () => void;
}

function ToldLine({ told, busy, onGiveBack, onClose }: ToldLineProps) {
  const t = useT();
  const { text, undo, operations } = told;
  return (
    <Callout compact icon={<TickIcon />} className="many-done">
      <span>
        <Message text={text} />
      </span>
      {operations && (
        <Link to="/operations">
          <T k="bulk.in_operations" />
        </Link>
      )}
      {undo !== null && (
        <BusyButton
          size="small"
          busy={busy}
          icon={<UndoIcon />}
          text={<T k="bulk.give_back" />}
          onClick={() => onGiveBack(undo)}
        />
      )}
      <Button size="small" variant="minimal" icon={<CrossIcon />} aria-label={t('ui.close')} onClick={onClose} />
    </Callout>
  );
}

/** Returns a line with the result of an act on many domains and its undo, until it is closed. */
export function useGiveBack(): { line: ReactNode; tell: (message: string, done: Done) => void } {
  const t = useT();
  const { number } = useFormats();
  const [told, setTold] = useState<Told>();
  const [busy, setBusy] = useState(false);
  const tell = (message: string, { undo, left, operations }: Done): void => {
    const stays = left.reduce((sum, { count }) => sum + count, 0);
    const more = left.map(({ reason }) => reason).join(', ');
    setTold({
      text: stays === 0 ? message : `${message}. ${t('bulk.plan_left', { n: number(stays) })} ${more}`,
      undo,
      operations,
    });
  };
  const giveBack = async (id: number): Promise<void> => {
    setBusy(true);
    try {
      const { data } = await call('POST /api/domains_bulk/:id/undo', { params: { id }, body: {} });
      await refreshDomains();
      const { restored, kept } = data;
      const text = t(kept === 0 ? 'bulk.given_back' : 'bulk.given_back_some', {
        n: number(restored),
        kept: number(kept),
      });
      setTold({ text, undo: null });
    } catch (error) {
      setTold({ text: `${t('bulk.not_given_back')}: ${messageOf(error)}`, undo: id });
    }
    setBusy(false);
  };
  const line = (
    <div aria-live="polite">
      {told && (
        <ToldLine told={told} busy={busy} onGiveBack={(id) => void giveBack(id)} onClose={() => setTold(undefined)} />
      )}
    </div>
  );
  return { line, tell };
}
