import { Classes } from '@blueprintjs/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import type { KeywordView } from '../../src/shared/positions/keywords.ts';
import { call, useCall } from '../kit/api.ts';
import { DialogFrame } from '../kit/dialog/DialogFrame.tsx';
import { Remove } from '../kit/dialog/Remove.tsx';
import { useAskedClose } from '../kit/dialog/useAskedClose.tsx';
import { SearchField } from '../kit/form/SearchField.tsx';
import { useTyped, type TypedFields } from '../kit/form/useTyped.ts';
import { useT } from '../kit/language.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { T } from '../kit/T.tsx';
import { AddKeywords, KEYWORD_LISTS } from './AddKeywords.tsx';
import { KeywordRow } from './KeywordRow.tsx';

const ROW = 41;
// Fewer need no search.
const MANY = 10;

interface KeywordListProps {
  keywords: readonly KeywordView[];
  fields: TypedFields;
  onDelete: (keyword: KeywordView) => void;
}

/** The keywords in view: a project may have thousands, each with three fields. */
function KeywordList({ keywords, fields, onDelete }: KeywordListProps) {
  const t = useT();
  const box = useRef<HTMLUListElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by it
  const rows = useVirtualizer({
    count: keywords.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    getItemKey: (index) => keywords[index]?.id ?? index,
    overscan: 10,
  });
  const shown = rows.getVirtualItems();
  const after = rows.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keys
    <ul ref={box} className="keyword-list" tabIndex={0} aria-label={t('keywords.title')}>
      <li aria-hidden="true" style={{ height: shown[0]?.start ?? 0 }} />
      {shown.map(({ index, key }) => {
        const keyword = keywords[index];
        return (
          keyword && (
            <li key={key} ref={rows.measureElement} data-index={index} className="keyword-row">
              <KeywordRow keyword={keyword} fields={fields} onDelete={onDelete} />
            </li>
          )
        );
      })}
      <li aria-hidden="true" style={{ height: Math.max(0, after) }} />
    </ul>
  );
}

interface KeywordsProps {
  projectId: number;
  onClose: () => void;
}

/** The keywords of a project: adding many, deleting one, tags, wanted pages and frequencies. Closing asks where lines are left, or what was typed was refused. */
export function Keywords({ projectId, onClose }: KeywordsProps) {
  const t = useT();
  const { data, error, refetch } = useCall('GET /api/keywords/:projectId', { params: { projectId } });
  const fields = useTyped(`keyword-fields ${projectId}`);
  const [hasLines, setHasLines] = useState(false);
  const isDirty = hasLines || (data ?? []).some(({ id }) => fields.refused.has(id));
  const { close, question } = useAskedClose(isDirty, onClose);
  const [deleted, setDeleted] = useState<KeywordView>();
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = data?.filter(({ value, tags }) => [value, ...tags].some((text) => text.toLowerCase().includes(wanted)));
  return (
    <DialogFrame title={<T k="keywords.title" />} width={860} sticky={isDirty} onClose={close}>
      <div className={Classes.DIALOG_BODY}>
        <AddKeywords projectId={projectId} onDirty={setHasLines} />
        {error && <Failed sentence="keywords.list_failed" reason={error.message} retry={() => void refetch()} />}
        {!data && !error && <Skeleton label={t('ui.loading')} />}
        {data && found && (
          <>
            <h3 className="bp6-heading keyword-head">
              <T k="keywords.count" n={data.length} />
            </h3>
            {data.length > MANY && <SearchField label={t('positions.search')} value={search} onChange={setSearch} />}
            {found.length > 0 && <KeywordList keywords={found} fields={fields} onDelete={setDeleted} />}
            {found.length === 0 && data.length > 0 && <T k="ui.nothing_found" />}
          </>
        )}
      </div>
      {deleted && (
        <Remove
          title={<T k="keywords.delete_ask" keyword={deleted.value} />}
          failed={t('keywords.delete_failed')}
          lists={KEYWORD_LISTS}
          remove={() => call('DELETE /api/keywords/:id', { params: { id: deleted.id } })}
          onClose={() => setDeleted(undefined)}
        >
          <p>
            <T k="keywords.delete_what" />
          </p>
        </Remove>
      )}
      {question}
    </DialogFrame>
  );
}
