import { useMemo, useState } from 'react';
import { call, refresh, type AnswerOf } from '../kit/api.ts';
import { EditIcon } from '../kit/icons.tsx';
import { IconAction } from '../kit/IconAction.tsx';
import { useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { pageOf, type RowsSource } from '../kit/table/useRows.ts';
import { Settings } from '../positions/Settings.tsx';
import { Budget } from '../purchases/Budget.tsx';

const LIST = 'GET /api/position_caps';
type Cap = AnswerOf<typeof LIST>['data'][number];

const source: RowsSource<Cap> = {
  key: [LIST],
  load: async (page, signal) => pageOf((await call(LIST, { signal })).data, page),
};

function Edit({ cap, onEdit }: { cap: Cap; onEdit: (cap: Cap) => void }) {
  const t = useT();
  return (
    <span className="icon-actions" data-row={cap.id}>
      <IconAction icon={<EditIcon />} action={t('caps.edit')} name={cap.name} onClick={() => onEdit(cap)} />
    </span>
  );
}

const columnsOf = (onEdit: (cap: Cap) => void): Column<Cap>[] => [
  { id: 'name', header: 'caps.project', card: 'title', cell: ({ name }) => <span translate="no">{name}</span> },
  { id: 'daily_cap', header: 'caps.cap', cell: ({ daily_cap }) => daily_cap },
  { id: 'used', header: 'caps.used', cell: ({ used }) => used },
  { id: 'left', header: 'caps.left', cell: ({ left }) => left },
  { id: 'actions', header: 'team.actions', cell: (cap) => <Edit cap={cap} onEdit={onEdit} /> },
];

/** The limits of spending with today's use and rest: the budget of purchases, and the cap of paid requests of each project. */
export function Caps() {
  const t = useT();
  const [edited, setEdited] = useState<Cap>();
  const columns = useMemo(() => columnsOf(setEdited), []);
  const onClose = (): void => {
    setEdited(undefined);
    void refresh(LIST);
  };
  return (
    <>
      <Budget />
      <Panel title={<T k="caps.positions" />}>
        <DataTable
          label={t('caps.positions')}
          source={source}
          columns={columns}
          failed="caps.failed"
          empty="caps.none"
        />
      </Panel>
      {edited && <Settings projectId={edited.id} onClose={onClose} />}
    </>
  );
}
