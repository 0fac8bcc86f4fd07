import { AnchorButton, Button, Tooltip, type Intent } from '@blueprintjs/core';
import type { ReactElement } from 'react';
import { useT } from '../language.ts';

interface IconActionProps {
  icon: ReactElement;
  /** The verb, shown as a tooltip. */
  action: string;
  /** What it is done to; a screen reader hears both. */
  name: string;
  intent?: Intent;
  /** A link to another site, in a new tab, in place of a button. */
  href?: string;
  onClick?: () => void;
}

/** An action as an icon alone. */
export function IconAction({ icon, action, name, href, ...props }: IconActionProps) {
  const t = useT();
  const common = {
    ...props,
    icon,
    variant: 'minimal',
    size: 'small',
    'aria-label': t('sites.action_on', { action, name }),
  } as const;
  return (
    <Tooltip content={action} placement="top" compact className="icon-action">
      {href === undefined ? (
        <Button {...common} />
      ) : (
        <AnchorButton {...common} href={href} target="_blank" rel="noopener noreferrer" />
      )}
    </Tooltip>
  );
}
