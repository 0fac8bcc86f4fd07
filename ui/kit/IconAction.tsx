import { AnchorButton, Classes } from '@blueprintjs/core';
import type { ButtonHTMLAttributes, ReactElement, Ref } from 'react';
import { useT } from './language.ts';

const LOOK = `${Classes.BUTTON} ${Classes.SMALL} ${Classes.MINIMAL}`;

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: ReactElement;
  'aria-label': string;
  'data-tip'?: string;
  /** Its menu or panel is open. */
  active?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** A button of an icon alone that looks like Blueprint's, without the work of that at every rendering: lists draw a hundred in a frame. */
export const IconButton = ({ icon, active = false, ...rest }: IconButtonProps) => (
  <button type="button" {...rest} className={active ? `${LOOK} ${Classes.ACTIVE}` : LOOK}>
    {icon}
  </button>
);

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
  const common = { icon, 'data-tip': action, 'aria-label': t('sites.action_on', { action, name }) };
  return href === undefined ? (
    <IconButton {...common} onClick={onClick} />
  ) : (
    <AnchorButton {...common} variant="minimal" size="small" href={href} target="_blank" rel="noopener noreferrer" />
  );
}
