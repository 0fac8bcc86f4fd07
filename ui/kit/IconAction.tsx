import { AnchorButton, Button } from '@blueprintjs/core';
import type { ReactElement } from 'react';
import { useT } from './language.ts';

interface IconActionProps {
  icon: ReactElement;
  /** The verb, shown as a tooltip. */
  action: string;
  /** The object of the action; a screen reader hears both. */
  name: string;
  /** Makes it a link to another site, opened in a new tab, instead of a button. */
  href?: string;
  onClick?: () => void;
}

/** An action as an icon without text. */
export function IconAction({ icon, action, name, href, onClick }: IconActionProps) {
  const t = useT();
  const common = {
    icon,
    variant: 'minimal',
    size: 'small',
    'data-tip': action,
    'aria-label': t('sites.action_on', { action, name }),
  } as const;
  return href === undefined ? (
    <Button {...common} onClick={onClick} />
  ) : (
    <AnchorButton {...common} href={href} target="_blank" rel="noopener noreferrer" />
  );
}
