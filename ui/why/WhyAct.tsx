import { Classes } from '@blueprintjs/core';
import { Link, useSearchParams } from 'react-router-dom';
import type { Act } from '../../src/shared/why/diagnosis.ts';
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

const isDialog = (act: Act): act is keyof typeof DIALOGS => act in DIALOGS;

// The dialogs that this link stands in: the one that it opens takes their place.
const OPEN = ['why', 'checks', 'registration'];

/** The link to what mends a layer: another dialog of the domain, or the screen where a person does it. */
export function WhyAct({ id, domain, act }: { id: number; domain: string; act: Act }) {
  const [search] = useSearchParams();
  const className = `${Classes.BUTTON} ${Classes.SMALL} ${Classes.INTENT_PRIMARY}`;
  const text = <T k={`why.act_${act}`} />;
  if (isDialog(act)) {
    const next = new URLSearchParams(search);
    for (const name of OPEN) next.delete(name);
    next.set(DIALOGS[act], String(id));
    return (
      <Link to={{ search: next.toString() }} replace className={className}>
        {text}
      </Link>
    );
  }
  const path = { name_servers: `/dns?domain=${domain}`, account: '/cloudflare', server: '/servers' }[act];
  return (
    <Link to={path} className={className}>
      {text}
    </Link>
  );
}
