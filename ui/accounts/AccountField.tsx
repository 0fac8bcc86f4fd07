import { useEffect } from 'react';
import type { Kind } from '../../src/shared/accounts/kinds.ts';
import { Combobox } from '../kit/form/Combobox.tsx';
import { useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { toastFailure, type ToastPlace } from '../kit/toasts.tsx';
import { useAccounts } from './calls.ts';
import { nameOf } from './nameOf.ts';

interface AccountFieldProps {
  kind: Extract<Kind, { chosen: object }>;
  value: number | null;
  onChange: (id: number | null) => void;
  error?: string | undefined;
  place: ToastPlace;
}

/** The account of a domain; emptied, it means none. */
export function AccountField({ kind, value, onChange, error, place }: AccountFieldProps) {
  const t = useT();
  const { accounts, error: failure } = useAccounts(kind);
  const { label, none, failed } = kind.chosen;
  useEffect(() => {
    if (failure) toastFailure(t(failed), failure, { place });
  }, [failure, failed, place, t]);
  const items = accounts ?? [];
  // While its name is not known, an account is not none.
  const missing = failure ? failed : 'ui.loading';
  return (
    <Combobox
      label={<T k={label} />}
      items={items}
      value={items.find(({ id }) => id === value) ?? null}
      onChange={(account) => onChange(account?.id ?? null)}
      text={nameOf(items)}
      placeholder={t(value === null || accounts ? none : missing)}
      error={error}
    />
  );
}
