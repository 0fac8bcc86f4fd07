import { useEffect } from 'react';
import { useCall } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { Combobox } from '../kit/form/Combobox.tsx';
import { T } from '../kit/T.tsx';
import { toastFailure, type ToastPlace } from '../kit/toasts.tsx';

interface TeamFieldProps {
  value: number | null;
  onChange: (id: number | null) => void;
  error?: string | undefined;
  place: ToastPlace;
}

// Two rows may share a name; the id tells them apart.
const nameOf =
  (items: readonly { id: number; name: string }[]) =>
  ({ id, name }: { id: number; name: string }): string =>
    items.some((other) => other.id !== id && other.name === name) ? `${name} (${id})` : name;

/** The server of a domain; emptied, it means none. */
export function ServerField({ value, onChange, error, place }: TeamFieldProps) {
  const t = useT();
  const { data, error: failure } = useCall('GET /api/servers');
  useEffect(() => {
    if (failure) toastFailure(t('projects.servers_failed'), failure, { place });
  }, [failure, place, t]);
  const servers = data?.data ?? [];
  return (
    <Combobox
      label={<T k="domain_form.server" />}
      items={servers}
      value={servers.find(({ id }) => id === value) ?? null}
      onChange={(server) => onChange(server?.id ?? null)}
      text={nameOf(servers)}
      placeholder={t('domain_form.no_server')}
      error={error}
    />
  );
}

/** The CDN account of a domain; emptied, it means none. */
export function CloudflareAccountField({ value, onChange, error, place }: TeamFieldProps) {
  const t = useT();
  const { data, error: failure } = useCall('GET /api/cloudflare_accounts');
  useEffect(() => {
    if (failure) toastFailure(t('projects.cloudflare_failed'), failure, { place });
  }, [failure, place, t]);
  const accounts = data?.data ?? [];
  return (
    <Combobox
      label={<T k="domain_form.cloudflare" />}
      items={accounts}
      value={accounts.find(({ id }) => id === value) ?? null}
      onChange={(account) => onChange(account?.id ?? null)}
      text={nameOf(accounts)}
      placeholder={t('domain_form.no_cloudflare')}
      error={error}
    />
  );
}
