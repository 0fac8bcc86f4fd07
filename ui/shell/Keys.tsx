import { HTMLTable, Switch } from '@blueprintjs/core';
import { useState } from 'react';
import type { Key } from '../../src/shared/i18n/index.ts';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { T } from '../kit/T.tsx';
import { keysAreOn, setKeysOn } from '../kit/useKeys.ts';

const KEYS: readonly { press: string; does: Key }[] = [
  { press: '/', does: 'ui.keys_search' },
  { press: 'R', does: 'ui.keys_refresh' },
  { press: 'T', does: 'ui.keys_theme' },
  { press: '?', does: 'ui.keys_help' },
  { press: 'Ctrl+Enter', does: 'ui.keys_submit' },
  { press: 'Esc', does: 'ui.keys_close' },
];

/** Lists the keyboard shortcuts, with the switch for single-letter keys. */
export function Keys({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(keysAreOn);
  const toggle = (): void => {
    setKeysOn(!on);
    setOn(!on);
  };
  return (
    <InfoDialog title={<T k="ui.keys" />} width={420} onClose={onClose}>
      <HTMLTable compact className="keys">
        <tbody>
          {KEYS.map(({ press, does }) => (
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
      <Switch checked={on} onChange={toggle} labelElement={<T k="ui.keys_switch" />} />
    </InfoDialog>
  );
}
