import { EyeOffIcon, EyeOpenIcon } from '../icons.tsx';
import { useState, type KeyboardEvent, type ReactElement } from 'react';
import { useT } from '../language.ts';
import { Button } from '../plain/Button.tsx';
import { T } from '../T.tsx';

export interface PasswordReveal {
  type: 'text' | 'password';
  rightElement: ReactElement;
}

/** Returns the props of an input for a password with a show/hide button. */
export function useReveal(): PasswordReveal {
  const t = useT();
  const [shown, setShown] = useState(false);
  return {
    type: shown ? 'text' : 'password',
    rightElement: (
      <Button
        variant="minimal"
        icon={shown ? <EyeOffIcon /> : <EyeOpenIcon />}
        aria-label={t('ui.show_password')}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      />
    ),
  };
}

/** Returns a hint that Caps Lock is on, updated by key presses in a password field. */
export function useCapsLock(): { hint: ReactElement | undefined; onKeyUp: (event: KeyboardEvent) => void } {
  const [isOn, setOn] = useState(false);
  return {
    hint: isOn ? <T k="login.caps_lock" /> : undefined,
    onKeyUp: (event) => setOn(event.getModifierState('CapsLock')),
  };
}
