import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';
import { useT } from '../kit/language.ts';
import './WhyLadder.css';

/** A state as a link to why it is so. The screen has to mount the dialogs of domains. */
export function WhyLink({ id, name, children }: { id: number; name: string; children: ReactNode }) {
  const t = useT();
  const { to, state } = useUrlDialog('why').linkTo(id);
  return (
    <Link to={to} state={state} className="why-link" title={t('why.show', { name })}>
      {children}
    </Link>
  );
}
