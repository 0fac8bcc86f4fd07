import { HTMLSelect, InputGroup } from '@blueprintjs/core';
import { useId } from 'react';
import { DOORS } from '../../src/shared/audit/audit.ts';
import { SearchField } from '../kit/form/SearchField.tsx';
import { useLanguage, useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import type { View } from './logView.ts';
import { objectNames } from './objects.ts';

interface DayProps {
  name: 'since' | 'until';
  value: string;
  onChange: (day: string) => void;
}

function Day({ name, value, onChange }: DayProps) {
  const id = useId();
  return (
    <span className="log-day">
      <label htmlFor={id}>
        <T k={`log.${name}`} />
      </label>
      <InputGroup id={id} type="date" value={value} onChange={(event) => onChange(event.target.value)} />
    </span>
  );
}

/** The filters of the log; the days are the reader's. */
export function Filters({ view, onView }: { view: View; onView: (change: Partial<View>) => void }) {
  const t = useT();
  const language = useLanguage();
  return (
    <div className="log-filters">
      <SearchField slash label={t('log.name')} value={view.name} onChange={(name) => onView({ name })} />
      <SearchField label={t('log.user')} value={view.user} onChange={(user) => onView({ user })} />
      <HTMLSelect
        aria-label={t('log.door')}
        value={view.door}
        onChange={(event) => onView({ door: event.target.value })}
        options={[
          { value: '', label: t('log.any_door') },
          ...DOORS.filter((door) => door !== 'test').map((door) => ({ value: door, label: t(`log.door_${door}`) })),
        ]}
      />
      <HTMLSelect
        aria-label={t('log.object')}
        value={view.object}
        onChange={(event) => onView({ object: event.target.value })}
        options={[{ value: '', label: t('log.any_object') }, ...objectNames(t, language)]}
      />
      <Day name="since" value={view.since} onChange={(since) => onView({ since })} />
      <Day name="until" value={view.until} onChange={(until) => onView({ until })} />
    </div>
  );
}
