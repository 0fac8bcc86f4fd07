import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { isKey } from '../../src/shared/i18n/index.ts';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';
import { useT } from '../kit/language.ts';
import './WhyLadder.css';

interface WhyLinkProps {
  id: number;
  name: string;
  /** The broken layer of the stored diagnosis; null: there is none. */
  broken: string | null;
  children: ReactNode;
}

/** A state as a link to why it is so; its title names the layer that was found broken. The screen has to mount the dialogs of domains. */
export function WhyLink({ id, name, broken, children }: WhyLinkProps) {
  const t = useT();
  const { to, state } = useUrlDialog('why').linkTo(id);
  const layer = `why.layer_${broken}`;
  const title = isKey(layer) ? t('why.show_broken', { name, layer: t(layer) }) : t('why.show', { name });
  return (
    <Link to={to} state={state} className="why-link" title={title}>
      {children}
    </Link>
  );
}
