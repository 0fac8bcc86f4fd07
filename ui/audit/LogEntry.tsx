import { HTMLTable } from '@blueprintjs/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Fact } from '../kit/Fact.tsx';
import { call, refresh, type AnswerOf } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { UndoIcon } from '../kit/icons.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { useT } from '../kit/language.ts';
import { NoData } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import { DateTime } from '../kit/table/DateTime.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';
import { nameOf } from './objects.ts';

/** A row of the log, and whether its change can be given back. */
export type Entry = AnswerOf<'GET /api/audit'>['data'][number];

type Values = Readonly<Record<string, unknown>>;

const valuesOf = (side: unknown): Values =>
  typeof side === 'object' && side !== null
    ? (side as Values)
    : side === null || side === undefined
      ? {}
      : { '': side };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function Side({ values, name }: { values: Values; name: string }) {
  const value = values[name];
  return value === undefined || value === null || value === '' ? <NoData /> : <>{textOf(value)}</>;
}

/** The fields of an entry, before and after side by side. */
function Changes({ entry }: { entry: Entry }) {
  const t = useT();
  const [before, after] = [valuesOf(entry.before), valuesOf(entry.after)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  if (names.length === 0) {
    return (
      <p className="muted">
        <T k="log.no_change" />
      </p>
    );
  }
  return (
    <HTMLTable compact className="log-changes" aria-label={t('log.action')}>
      <thead>
        <tr>
          <th scope="col">
            <T k="log.column" />
          </th>
          <th scope="col">
            <T k="log.before" />
          </th>
          <th scope="col">
            <T k="log.after" />
          </th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <th scope="row" translate="no">
              {name}
            </th>
            <td>
              <Side values={before} name={name} />
            </td>
            <td>
              <Side values={after} name={name} />
            </td>
          </tr>
        ))}
      </tbody>
    </HTMLTable>
  );
}

/** Gives the object the values back that it had before. */
function GiveBack({ id, onDone }: { id: number; onDone: () => void }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const giveBack = async (): Promise<void> => {
    setBusy(true);
    try {
      await call('POST /api/audit/:id/give_back', { params: { id }, body: {} });
      await refresh('GET /api/audit');
      toast.success(t('log.given_back'));
      onDone();
    } catch (error) {
      toastFailure(t('log.give_back_failed'), error);
      setBusy(false);
    }
  };
  return (
    <p className="log-give-back">
      <BusyButton busy={busy} icon={<UndoIcon />} text={<T k="log.give_back" />} onClick={() => void giveBack()} />
    </p>
  );
}

/** A row of the log: who, from where, and what has changed. */
export function LogEntry({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { id, at, login, door, call, address, operation_id, action, object_ids, hash } = entry;
  const named = nameOf(useT(), entry);
  return (
    <InfoDialog title={<T k="log.open" id={id} />} onClose={onClose}>
      <dl className="log-facts">
        <Fact title="log.at">
          <DateTime iso={at} />
        </Fact>
        <Fact title="log.who">{login}</Fact>
        <Fact title="log.door">
          <T k={`log.door_${door}`} />
        </Fact>
        <Fact title="log.call">{call}</Fact>
        {address !== null && <Fact title="log.address">{address}</Fact>}
        <Fact title="log.action">
          <T k={`log.action_${action}`} />
        </Fact>
        <Fact title="log.object">
          {named.object} {named.name ?? ''}
        </Fact>
        {object_ids && <Fact title="log.ids">{object_ids.join(', ')}</Fact>}
        {operation_id !== null && (
          <Fact title="log.operation">
            <Link to={`/operations?operation=${operation_id}`}>#{operation_id}</Link>
          </Fact>
        )}
        <Fact title="log.hash">
          <code>{hash}</code>
        </Fact>
      </dl>
      <Changes entry={entry} />
      {entry.can_give_back && <GiveBack id={id} onDone={onClose} />}
    </InfoDialog>
  );
}
