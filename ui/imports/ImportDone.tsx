import { Button, Callout } from '@blueprintjs/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ImportPreview, ImportResult } from '../../src/shared/portfolio/imports.ts';
import { CheckButton } from '../checks/CheckButton.tsx';
import { DownloadErrors, ImportGroups } from './ImportCheck.tsx';
import { ImportUndo } from './ImportUndo.tsx';
import { T } from '../kit/T.tsx';
import type { Importing } from './useImport.ts';

interface ImportDoneProps extends Importing {
  preview: ImportPreview;
  result: ImportResult;
}

/** Step 4: the result, and links to what comes next. */
export function ImportDone({ preview, result, again }: ImportDoneProps) {
  const [undone, setUndone] = useState(false);
  const { counts, groups } = result;
  return (
    <>
      <Callout intent={undone ? 'none' : 'success'} className="import-note">
        {undone ? (
          <T k="import.was_undone" />
        ) : (
          <T
            k="import.done"
            created={counts.create}
            updated={counts.update}
            skipped={counts.skip}
            errors={counts.error}
          />
        )}
      </Callout>
      <ImportGroups title="import.problems" groups={groups.filter(({ action }) => action === 'error')} />
      <div className="import-buttons">
        {!undone && <CheckButton isFilled text="import.check_domains" />}
        <Link to="/sites" className="bp6-button">
          <T k="nav.all_sites" />
        </Link>
        <DownloadErrors preview={preview} />
        {result.import && !undone && <ImportUndo of={result.import} onUndone={() => setUndone(true)} />}
        <Button text={<T k="import.again" />} onClick={again} />
      </div>
    </>
  );
}
