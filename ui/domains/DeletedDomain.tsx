import { useState, type ReactNode } from 'react';
import { DELETED_KEPT_DAYS, type DeletedDomain } from '../../src/shared/portfolio/domains.ts';
import { cleanHostname, isHostname } from '../../src/shared/hostname.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Callout } from '../kit/plain/Callout.tsx';
import { T } from '../kit/T.tsx';
import { toast, toastFailure, type ToastPlace } from '../kit/toasts.tsx';
import { refreshDomains } from '../operations/operations.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the domain of a name that the caller has deleted last; null: there is none; undefined: it is not known yet. */
export function useDeleted(name: string): DeletedDomain | null | undefined {
  const enabled = isHostname(name);
  const query = { domain_name: enabled ? cleanHostname(name) : '' };
  const { data, isError } = useCall('GET /api/deleted_domains', { query }, { enabled, anew: true });
  if (!enabled || isError) return null;
  return data && (data.data[0] ?? null);
}

/** Returns the domain of a name that the caller has deleted last, asked for now. */
export async function findDeleted(domain_name: string): Promise<DeletedDomain | undefined> {
  return (await call('GET /api/deleted_domains', { query: { domain_name } })).data[0];
}

/** The role, project and server that a deleted domain has again once it is back. */
function WhatItHas({ type, project_name, server_name, deployed_at }: DeletedDomain) {
  const formats = useFormats();
  const what = type === 'main' ? 'main' : 'reserve';
  return (
    <ul>
      <li>
        {project_name === null ? (
          <T k={`domain_back.${what}`} />
        ) : (
          <T k={`domain_back.${what}_of`} project={project_name} />
        )}
      </li>
      {server_name !== null && (
        <li>
          {deployed_at === null ? (
            <T k="domain_back.server" server={server_name} />
          ) : (
            <T k="domain_back.site" server={server_name} time={formats.dateTime(deployed_at)} />
          )}
        </li>
      )}
    </ul>
  );
}

/** The properties of a domain after a restore, the time of its deletion, and the last time for a restore. */
export function DeletedText({ domain, children }: { domain: DeletedDomain; children?: ReactNode }) {
  const formats = useFormats();
  const until = new Date(Date.parse(domain.deleted_at) + DELETED_KEPT_DAYS * DAY_MS).toISOString();
  return (
    <>
      <WhatItHas {...domain} />
      <p>
        <T k="domain_back.until" time={formats.dateTime(domain.deleted_at)} until={formats.dateTime(until)} />
      </p>
      {children}
    </>
  );
}

interface BringBackProps {
  domain: DeletedDomain;
  place: ToastPlace;
  /** Called once it is back. */
  onBack?: () => void;
  /** Takes the focus, which brings it into view. */
  takesFocus?: boolean;
}

/** The button that brings a deleted domain back. */
export function BringBack({ domain: { id, unicode_name: name }, place, onBack, takesFocus = false }: BringBackProps) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const bring = async (): Promise<void> => {
    setBusy(true);
    try {
      await call('POST /api/domains/:id/restore', { params: { id }, body: {} });
      onBack?.();
      await Promise.all([refreshDomains(), refresh('GET /api/deleted_domains')]);
      toast.success(t('domain_back.brought', { name }), { place });
    } catch (error) {
      toastFailure(t('domain_back.failed'), error, { place });
    }
    setBusy(false);
  };
  return (
    <BusyButton
      intent="primary"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- answers a press: the form would hide it below
      autoFocus={takesFocus}
      busy={busy}
      text={<T k="domain_back.bring" />}
      onClick={() => void bring()}
    />
  );
}

/** Says in the form of a new domain that one of its name was deleted, and brings that back. */
export function DeletedNote({ domain, ...on }: BringBackProps) {
  return (
    <Callout intent="warning" role="alert" className="front-note">
      <p>
        <T k="domain_back.deleted" name={domain.unicode_name} />
      </p>
      <DeletedText domain={domain} />
      <BringBack takesFocus domain={domain} {...on} />
    </Callout>
  );
}
