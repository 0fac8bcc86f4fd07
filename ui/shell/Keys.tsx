import { HTMLTable, Switch } from '@blueprintjs/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Key } from '../../src/shared/i18n/index.ts';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { useSession } from '../kit/session.ts';
import { T } from '../kit/T.tsx';
import { keysAreOn, setKeysOn } from '../kit/useKeys.ts';
import { goKeysOf } from './goKeys.ts';
import { routesFor } from './routes.ts';

interface KeyLine {
  press: string;
  does: Key;
}

const KEYS: readonly KeyLine[] = [
  { press: 'Ctrl+K', does: 'palette.title' },
  { press: '/', does: 'ui.keys_search' },
  { press: 'R', does: 'ui.keys_refresh' },
  { press: 'T', does: 'ui.keys_theme' },
  { press: 'J, K', does: 'ui.keys_rows' },
  { press: 'X, Shift+X', does: 'ui.keys_choose' },
  { press: 'Ctrl+A', does: 'ui.keys_choose_all' },
  { press: 'Enter', does: 'ui.keys_open' },
  { press: 'Shift+F10', does: 'views.cell_key' },
  { press: 'N, E, Delete', does: 'ui.keys_row_acts' },
  { press: '[, ]', does: 'ui.keys_tabs' },
  { press: '?', does: 'ui.keys_help' },
  { press: 'Ctrl+Enter', does: 'ui.keys_submit' },
  { press: 'Esc', does: 'ui.keys_close' },
];

function KeyTable({ lines }: { lines: readonly KeyLine[] }) {
  return (
    <HTMLTable compact className="keys">
      <tbody>
        {lines.map(({ press, does }) => (
          <tr key={press}>
            <th scope="row">
              <kbd>{press}</kbd>
            </th>
            <td>
              <T k={does} />
            </td>
          </tr>
        ))}
      </tbody>
    </HTMLTable>
  );
}

/** Returns the keys that open a screen of the user. */
const goLines = (role: string | undefined): KeyLine[] =>
  routesFor(role).flatMap(({ path, title }) => {
    const press = goKeysOf(path);
    return press === undefined ? [] : [{ press, does: title }];
  });

/** Lists the keyboard shortcuts, with the switch for single-letter keys. */
export function Keys({ onClose }: { onClose: () => void }) {
  const { user } = useSession();
  const [on, setOn] = useState(keysAreOn);
  const toggle = (): void => {
    setKeysOn(!on);
    setOn(!on);
  };
  return (
    <InfoDialog title={<T k="ui.keys" />} width={420} onClose={onClose}>
      {/* The focus begins here: at the end of the list it would open scrolled to there. */}
      <Switch checked={on} onChange={toggle} labelElement={<T k="ui.keys_switch" />} />
      <KeyTable lines={KEYS} />
      <h3 className="bp6-heading">
        <T k="palette.go" />
      </h3>
      <KeyTable lines={goLines(user?.role)} />
      <p>
        <Link to="/?open=first_steps" onClick={onClose}>
          <T k="palette.first_steps" />
        </Link>
      </p>
    </InfoDialog>
  );
}
