import { Classes } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { kindOf, type Kind } from '../../src/shared/accounts/kinds.ts';
import type { DomainDetail } from '../../src/shared/portfolio/domains.ts';
import type { Act } from '../../src/shared/why/diagnosis.ts';
import { useAccounts } from '../accounts/calls.ts';
import { linkToRow } from '../accounts/editedRow.ts';
import { T } from '../kit/T.tsx';

/** The dialogs about the domain that mend a layer, by their names in the URL. */
const DIALOGS = {
  renew: 'renew',
  registration: 'registration',
  dns: 'dns',
  domain: 'domain',
  transfer: 'transfer',
  redirects: 'redirects',
} as const satisfies Partial<Record<Act, string>>;

// The dialogs that this link stands in: the one that it opens takes their place.
const OPEN = ['why', 'checks', 'registration'];

const CLASS = `${Classes.BUTTON} ${Classes.SMALL} ${Classes.INTENT_PRIMARY}`;

interface ToDialogProps {
  id: number;
  dialog: string;
  children: ReactNode;
}

/** Opens another dialog of the domain in the place of this one. */
function ToDialog({ id, dialog, children }: ToDialogProps) {
  const [search] = useSearchParams();
  const next = new URLSearchParams(search);
  for (const name of OPEN) next.delete(name);
  next.set(dialog, String(id));
  return (
    <Link to={{ search: next.toString() }} replace className={CLASS}>
      {children}
    </Link>
  );
}

const NOUNS = { account: 'cloudflare', server: 'server' } as const;

interface ToRowProps {
  kind: Kind;
  id: number;
  children: ReactNode;
}

/** Opens the dialog of an account or a server; nothing where the caller may not edit it. Closing it leads back here. */
function ToRow({ kind, id, children }: ToRowProps) {
  const { accounts } = useAccounts(kind);
  const mayEdit = accounts?.some((account) => account.id === id && account.can_edit) ?? false;
  return mayEdit ? (
    <Link {...linkToRow(kind, id)} className={CLASS}>
      {children}
    </Link>
  ) : null;
}

interface WhyActProps {
  domain: DomainDetail;
  act: Act;
}

/** The link to what mends a layer, open at the very row. Nothing for a caller who may not change that. */
export function WhyAct({ domain, act }: WhyActProps) {
  const { id, domain_name, cloudflare_account_id, server_id } = domain;
  const text = <T k={`why.act_${act}`} />;
  const toDns = (
    <Link to={`/dns?domain=${domain_name}`} className={CLASS}>
      <T k="why.act_name_servers" />
    </Link>
  );
  if (act === 'name_servers') return toDns;
  // Records that no account of ours holds can't be opened: the domain has to come to one first.
  if (act === 'dns' && cloudflare_account_id === null) return toDns;
  if (act === 'account' || act === 'server') {
    const row = act === 'account' ? cloudflare_account_id : server_id;
    if (row !== null) {
      return (
        <ToRow kind={kindOf(NOUNS[act])} id={row}>
          {text}
        </ToRow>
      );
    }
    return (
      <ToDialog id={id} dialog="domain">
        <T k={act === 'server' ? 'why.act_set_server' : 'why.act_set_account'} />
      </ToDialog>
    );
  }
  return (
    <ToDialog id={id} dialog={DIALOGS[act]}>
      {text}
    </ToDialog>
  );
}
