import { Button, type ButtonProps } from '@blueprintjs/core';
import { UndoIcon } from '../kit/icons.tsx';
import { useState } from 'react';
import type { ImportView } from '../../src/shared/portfolio/imports.ts';
import { call, refresh } from '../kit/api.ts';
import { Confirm } from '../kit/dialog/Confirm.tsx';
import { useT } from '../kit/language.ts';
import { refreshDomains } from '../operations/operations.ts';
import { T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';

interface ImportUndoProps extends Pick<ButtonProps, 'size'> {
  of: ImportView;
  onUndone?: () => void;
}

/** Undoes an import, after a confirmation. */
export function ImportUndo({ of: { id, created, updated }, size, onUndone }: ImportUndoProps) {
  const t = useT();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const undo = async (): Promise<void> => {
    setBusy(true);
    try {
      const done = await call('POST /api/imports/:id/undo', { params: { id }, body: {} });
      toast.success(t(done.kept === 0 ? 'import.undo_done' : 'import.undo_kept', { ...done }));
      await Promise.all([refreshDomains(), refresh('GET /api/imports')]);
      onUndone?.();
    } catch (error) {
      toastFailure(t('import.undo_failed'), error);
    }
    setBusy(false);
    setAsking(false);
  };
  return (
    <>
      <Button size={size} icon={<UndoIcon />} text={<T k="import.undo" />} onClick={() => setAsking(true)} />
      {asking && (
        <Confirm
          title={<T k="import.undo_title" />}
          confirm={<T k="import.undo" />}
          busy={busy}
          onConfirm={() => void undo()}
          onCancel={() => setAsking(false)}
        >
          <p>
            <T k="import.undo_text" created={created} updated={updated} />
          </p>
        </Confirm>
      )}
    </>
  );
}
