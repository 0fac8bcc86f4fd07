import { Button, Classes } from '@blueprintjs/core';
import { CrossIcon } from '../icons.tsx';
import type { ReactNode } from 'react';
import { useT } from '../language.ts';

interface DialogHeadProps {
  /** For the dialog's `aria-labelledby`. */
  id: string;
  title: ReactNode;
  busy?: boolean;
  onClose: () => void;
}

/** The title of a dialog and its close button; Blueprint's own is labelled "Close" in every language. */
export function DialogHead({ id, title, busy = false, onClose }: DialogHeadProps) {
  const t = useT();
  return (
    <div className={Classes.DIALOG_HEADER}>
      <h2 id={id} className="bp6-heading">
        {title}
      </h2>
      <Button variant="minimal" icon={<CrossIcon />} aria-label={t('ui.close')} disabled={busy} onClick={onClose} />
    </div>
  );
}
