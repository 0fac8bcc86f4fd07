import { Button } from '@blueprintjs/core';
import { BusyButton } from '../BusyButton.tsx';
import { DownloadIcon, MenuIcon } from '../icons.tsx';
import { useT } from '../language.ts';
import { T } from '../T.tsx';
import { ColumnsMenu } from './ColumnsMenu.tsx';
import './ListTools.css';
import type { ListLayout } from './useListLayout.ts';
import { ViewsMenu } from './ViewsMenu.tsx';

interface ListToolsProps<Row> {
  layout: ListLayout<Row>;
  /** The fields of the address that make a view; absent, the list has no views of its own. */
  fields?: readonly string[];
  /** Saves the filtered rows as a file. */
  csv?: { busy: boolean; save: () => void };
  /** The list is cards in every window: columns and the height of rows are not set. */
  hasCards?: boolean;
}

/** The tools of a list: views, columns, the height of rows, and a file of the filtered rows. */
export function ListTools<Row>({ layout, fields, csv, hasCards = false }: ListToolsProps<Row>) {
  const t = useT();
  const isCompact = layout.settings.density === 'compact';
  return (
    <div role="toolbar" aria-label={t('views.tools')} className="list-tools">
      {fields && <ViewsMenu layout={layout} fields={fields} />}
      {!hasCards && (
        <>
          <ColumnsMenu layout={layout} />
          <Button
            className="of-tables"
            variant="minimal"
            icon={<MenuIcon />}
            aria-pressed={isCompact}
            active={isCompact}
            text={<T k="views.compact" />}
            onClick={() => void layout.set({ density: isCompact ? 'regular' : 'compact' })}
          />
        </>
      )}
      {csv && (
        <BusyButton
          variant="minimal"
          busy={csv.busy}
          icon={<DownloadIcon />}
          text={<T k="views.csv" />}
          onClick={csv.save}
        />
      )}
    </div>
  );
}
