import { Button, InputGroup, TextArea } from '@blueprintjs/core';
import { useRef, useState } from 'react';
import { MOST_KEYWORDS, type KeywordView } from '../../src/shared/positions/keywords.ts';
import { ApiError, call, messageOf, refresh, useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { Field } from '../kit/form/Form.tsx';
import { TrashIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { Failed } from '../kit/table/DataTable.tsx';
import { T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';
import { linesOf } from './heat.ts';

const refreshKeywords = (): Promise<void> =>
  refresh(
    'GET /api/keywords/:projectId',
    'GET /api/project_positions/:projectId/:engine',
    'GET /api/position_cost/:projectId/:engine',
    'GET /api/position/:domainId/:engine',
  );

interface AddingProps {
  projectId: number;
}

/** Adds keywords, one a line, a call for each. Lines that could not be added stay, with their reasons. */
export function AddKeywords({ projectId }: AddingProps) {
  const t = useT();
  const [text, setText] = useState('');
  const [progress, setProgress] = useState<{ done: number; all: number }>();
  const [reasons, setReasons] = useState<readonly string[]>([]);
  const [said, setSaid] = useState('');
  const isCancelled = useRef(false);
  const { lines, repeated } = linesOf(text);

  const add = async (): Promise<void> => {
    isCancelled.current = false;
    setReasons([]);
    setSaid('');
    const failed: { line: string; reason: string }[] = [];
    let added = 0;
    for (const [index, keyword] of lines.entries()) {
      setProgress({ done: index, all: lines.length });
      if (isCancelled.current) {
        failed.push(...lines.slice(index).map((line) => ({ line, reason: '' })));
        break;
      }
      try {
        await call('POST /api/keywords', { body: { keyword, project_id: projectId } });
        added += 1;
      } catch (error) {
        const reason = (error instanceof ApiError && error.fields['keyword']) || messageOf(error);
        failed.push({ line: keyword, reason });
      }
    }
    setProgress(undefined);
    setText(failed.map(({ line }) => line).join('\n'));
    const told = failed.filter(({ reason }) => reason !== '');
    setReasons(told.map(({ line, reason }) => `${line}: ${reason}`));
    const sentences = [
      ...(added > 0 ? [t('keywords.added', { n: added })] : []),
      ...(told.length > 0 ? [t('keywords.add_failed', { n: told.length, m: lines.length })] : []),
    ];
    setSaid(sentences.join('. '));
    if (added > 0) toast.success(t('keywords.added', { n: added }));
    await refreshKeywords();
  };

  return (
    <form
      className="keyword-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!progress) void add();
      }}
    >
      <Field
        label={<T k="keywords.label" />}
        help={
          <>
            <T k="keywords.count" n={lines.length} />
            {lines.length > MOST_KEYWORDS && (
              <>
                {'. '}
                <T k="keyword.many" most={MOST_KEYWORDS} />
              </>
            )}
            {repeated > 0 && (
              <>
                {', '}
                <T k="keywords.repeated" n={repeated} />
              </>
            )}
          </>
        }
      >
        {(control) => (
          <TextArea {...control} fill rows={6} value={text} onChange={(event) => setText(event.currentTarget.value)} />
        )}
      </Field>
      <div className="position-acts">
        <BusyButton
          type="submit"
          intent="primary"
          busy={progress !== undefined}
          disabled={lines.length === 0 || lines.length > MOST_KEYWORDS}
          text={progress ? `${progress.done}/${progress.all}` : <T k="keywords.add" />}
        />
        {progress && (
          <Button
            text={<T k="ui.cancel" />}
            onClick={() => {
              isCancelled.current = true;
            }}
          />
        )}
      </div>
      <output className={reasons.length > 0 ? 'bad' : ''}>{said}</output>
      {reasons.length > 0 && (
        <ul className="keyword-reasons">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </form>
  );
}

/** A keyword with its tags and its wanted page, which are saved when their field is left. */
function KeywordRow({ keyword }: { keyword: KeywordView }) {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      await call('DELETE /api/keywords/:id', { params: { id: keyword.id } });
      await refreshKeywords();
    } catch (error) {
      toastFailure(t('keywords.delete_failed'), error);
      setBusy(false);
    }
  };
  const save = async (change: {
    tags?: string[];
    target_url?: string | null;
    frequency?: number | null;
  }): Promise<void> => {
    try {
      await call('PUT /api/keywords/:id', { params: { id: keyword.id }, body: change });
      await refreshKeywords();
    } catch (error) {
      toastFailure(t('keywords.save_failed'), error);
    }
  };
  const { value, tags, target_url, frequency } = keyword;
  return (
    <li className="keyword-row">
      <span className="keyword-value">{value}</span>
      <InputGroup
        size="small"
        aria-label={t('keywords.tags_of', { keyword: value })}
        placeholder={t('keywords.tags')}
        defaultValue={tags.join(', ')}
        onBlur={({ currentTarget: { value: text } }) => {
          const next = text
            .split(',')
            .map((tag) => tag.trim())
            .filter((tag) => tag !== '');
          if (next.join() !== tags.join()) void save({ tags: next });
        }}
      />
      <InputGroup
        size="small"
        type="url"
        aria-label={t('keywords.target_of', { keyword: value })}
        placeholder={t('keywords.target')}
        defaultValue={target_url ?? ''}
        onBlur={({ currentTarget: { value: text } }) => {
          if (text.trim() !== (target_url ?? '')) void save({ target_url: text.trim() || null });
        }}
      />
      <InputGroup
        size="small"
        inputMode="numeric"
        aria-label={t('keywords.frequency_of', { keyword: value })}
        placeholder={t('keywords.frequency')}
        defaultValue={frequency === null ? '' : String(frequency)}
        onBlur={({ currentTarget: { value: text } }) => {
          const next = text.trim() === '' ? null : Number(text.replaceAll(/\s/g, ''));
          if (next !== frequency) void save({ frequency: next });
        }}
      />
      <Button
        variant="minimal"
        size="small"
        disabled={isBusy}
        icon={<TrashIcon />}
        aria-label={t('keywords.delete_one', { keyword: value })}
        onClick={() => void remove()}
      />
    </li>
  );
}

/** The keywords of a project: adding many, deleting one, tags and wanted pages. */
export function Keywords({ projectId, onClose }: AddingProps & { onClose: () => void }) {
  const { data, error, refetch } = useCall('GET /api/keywords/:projectId', { params: { projectId } });
  return (
    <InfoDialog title={<T k="keywords.title" />} width={860} onClose={onClose}>
      <AddKeywords projectId={projectId} />
      {error && <Failed sentence="keywords.list_failed" reason={error.message} retry={() => void refetch()} />}
      {data && (
        <>
          <h3 className="bp6-heading">
            <T k="keywords.count" n={data.length} />
          </h3>
          <ul className="keyword-list">
            {data.map((keyword) => (
              <KeywordRow key={keyword.id} keyword={keyword} />
            ))}
          </ul>
        </>
      )}
    </InfoDialog>
  );
}
