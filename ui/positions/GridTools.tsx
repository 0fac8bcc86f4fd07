import { Button, HTMLSelect } from '@blueprintjs/core';
import { SearchField } from '../kit/form/SearchField.tsx';
import { DownloadIcon } from '../kit/icons.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { tagsOf, type HeatRow } from './heat.ts';
import type { HeatLook } from './HeatRow.tsx';
import { comparedDates, ON, PERIODS, TWO, type ChangeView, type PositionView } from './view.ts';

export const LOOKS: readonly HeatLook[] = ['heat', 'change', 'plain'];

interface GridToolsProps {
  rows: readonly HeatRow[];
  /** All that are loaded, of which two may be compared. */
  dates: readonly string[];
  view: PositionView;
  onView: ChangeView;
  onSave: () => void;
}

/** The choice of two dates. */
function TwoDates({ dates, view, onView }: Pick<GridToolsProps, 'dates' | 'view' | 'onView'>) {
  const t = useT();
  const formats = useFormats();
  const [from = '', to = ''] = comparedDates(view, dates);
  const options = dates.toReversed().map((date) => ({ value: date, label: formats.day(date) }));
  return (
    <>
      <HTMLSelect
        aria-label={t('positions.from')}
        value={from}
        options={options}
        onChange={(event) => onView({ from: event.currentTarget.value, to })}
      />
      <HTMLSelect
        aria-label={t('positions.to')}
        value={to}
        options={options}
        onChange={(event) => onView({ from, to: event.currentTarget.value })}
      />
    </>
  );
}

/** The tools of the grid: search, filters, look, period, order, and the CSV file. */
export function GridTools({ rows, dates, view, onView, onSave }: GridToolsProps) {
  const t = useT();
  const tags = tagsOf(rows);
  const isNewestFirst = view.order !== 'old';
  const switchOf = (name: 'fallen' | 'rival') => (
    <Button
      active={view[name] === ON}
      aria-pressed={view[name] === ON}
      text={<T k={`positions.${name}_only`} />}
      onClick={() => onView({ [name]: view[name] === ON ? '' : ON })}
    />
  );
  return (
    <div className="position-tools">
      <SearchField slash label={t('positions.search')} value={view.search} onChange={(search) => onView({ search })} />
      {tags.length > 0 && (
        <HTMLSelect
          aria-label={t('positions.tag')}
          value={view.tag}
          options={[{ value: '', label: t('positions.all_tags') }, ...tags.map((tag) => ({ value: tag, label: tag }))]}
          onChange={(event) => onView({ tag: event.currentTarget.value })}
        />
      )}
      {switchOf('fallen')}
      {rows.some(({ target_url }) => target_url !== null) && switchOf('rival')}
      <HTMLSelect
        aria-label={t('positions.look')}
        value={view.look}
        options={LOOKS.map((one) => ({ value: one, label: t(`positions.look_${one}`) }))}
        onChange={(event) => onView({ look: event.currentTarget.value })}
      />
      <HTMLSelect
        aria-label={t('positions.period')}
        value={view.days}
        options={[
          ...PERIODS.map((one) => ({ value: one, label: t('positions.days', { n: Number(one) }) })),
          { value: TWO, label: t('positions.two_dates') },
        ]}
        onChange={(event) => onView({ days: event.currentTarget.value })}
      />
      {view.days === TWO && <TwoDates dates={dates} view={view} onView={onView} />}
      <Button
        active={isNewestFirst}
        aria-pressed={isNewestFirst}
        text={<T k="positions.newest_first" />}
        onClick={() => onView({ order: isNewestFirst ? 'old' : 'new' })}
      />
      <Button icon={<DownloadIcon />} text="CSV" onClick={onSave} />
    </div>
  );
}
