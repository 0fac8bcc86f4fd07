import { Button } from '@blueprintjs/core';
import { EyeOffIcon, EyeOpenIcon } from '../icons.tsx';
import { useEffect, useState } from 'react';
import { MASK } from '../../../src/shared/accounts/secrets.ts';
import { useT } from '../language.ts';
import { CopyIcon } from '../CopyButton.tsx';
import { NoData } from '../Status.tsx';
import './SecretText.css';

const REVEALED_MS = 30_000;
// The last four characters of a shorter secret would give too much of it away.
const LONG = 16;

interface SecretTextProps {
  value: string;
  /** The owner of the secret, for the names of its buttons. */
  name: string;
  /** Shown in clear until hidden by hand, instead of the reverse. */
  open?: boolean;
}

const dots = (value: string): string => `••••${value.length >= LONG ? value.slice(-4) : '••••'}`;

/**
 * Shows a secret as dots, or in clear for thirty seconds; the copy button works without showing it. A value that the
 * server has masked can't be shown.
 */
export function SecretText({ value, name, open = false }: SecretTextProps) {
  const t = useT();
  const [toggled, setToggled] = useState(false);
  const shown = open !== toggled;
  useEffect(() => {
    if (open || !toggled) return undefined;
    const timer = setTimeout(() => setToggled(false), REVEALED_MS);
    return () => clearTimeout(timer);
  }, [open, toggled]);
  if (value === '') return <NoData />;
  if (value === MASK) {
    return (
      <span className="secret muted" title={t('secret.not_here')}>
        <span aria-hidden="true">••••••••</span>
        <span className="visually-hidden">{t('secret.not_here')}</span>
      </span>
    );
  }
  const label = t('secret.show', { name });
  return (
    <span className="secret">
      <code translate="no">{shown ? value : dots(value)}</code>
      <Button
        variant="minimal"
        size="small"
        icon={shown ? <EyeOffIcon /> : <EyeOpenIcon />}
        data-tip={label}
        aria-label={label}
        aria-pressed={shown}
        onClick={() => setToggled(!toggled)}
      />
      <CopyIcon text={value} name={name} />
    </span>
  );
}
