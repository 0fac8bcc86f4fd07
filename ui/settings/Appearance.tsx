import { HTMLSelect, Switch } from '@blueprintjs/core';
import { useId, useState } from 'react';
import { useLanguage } from '../kit/language.ts';
import { setLanguage } from '../kit/reader/reader.ts';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';
import { setTheme, useTheme } from '../kit/theme.ts';
import { keysAreOn, setKeysOn } from '../kit/useKeys.ts';

/** The language, the theme and the keyboard shortcuts of this browser. */
export function Appearance() {
  const id = useId();
  const language = useLanguage();
  const theme = useTheme();
  const [on, setOn] = useState(keysAreOn);
  const toggle = (): void => {
    setKeysOn(!on);
    setOn(!on);
  };
  return (
    <Panel title={<T k="settings.appearance" />}>
      <div className="settings-fields">
        <label htmlFor={`${id}-language`}>
          <T k="settings.language" />
        </label>
        <HTMLSelect
          id={`${id}-language`}
          value={language}
          onChange={({ currentTarget }) => setLanguage(currentTarget.value === 'en' ? 'en' : 'ru')}
        >
          <option value="ru" lang="ru">
            Русский
          </option>
          <option value="en" lang="en">
            English
          </option>
        </HTMLSelect>
        <Switch
          checked={theme === 'dark'}
          onChange={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
          labelElement={<T k="ui.theme_dark" />}
        />
        <Switch checked={on} onChange={toggle} labelElement={<T k="ui.keys_switch" />} />
      </div>
      <p className="muted">
        <T k="settings.of_browser" />
      </p>
    </Panel>
  );
}
