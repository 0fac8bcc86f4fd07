import { useState } from 'react';
import type { CloudflareAccountView } from '../../src/shared/accounts/cloudflare-accounts.ts';
import type { ServerView } from '../../src/shared/accounts/servers.ts';
import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import { nameOf } from '../accounts/nameOf.ts';
import { useCall } from '../kit/api.ts';
import { Combobox } from '../kit/form/Combobox.tsx';
import { useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';

/** Holds the account and the server that domains are attached to: at first the domain's own. */
export function useAttachTarget(domain: DomainView) {
  const accounts = useCall('GET /api/cloudflare_accounts');
  const servers = useCall('GET /api/servers');
  const [accountId, setAccountId] = useState(domain.cloudflare_account_id);
  const [serverId, setServerId] = useState(domain.server_id);
  return {
    account: accounts.data?.data.find(({ id }) => id === accountId) ?? null,
    server: servers.data?.data.find(({ id }) => id === serverId) ?? null,
    setAccountId,
    setServerId,
    /** Undefined until both lists are loaded. */
    choices: accounts.data && servers.data && { accounts: accounts.data.data, servers: servers.data.data },
    error: accounts.error ?? servers.error,
    retry: (): void => void Promise.all([accounts.refetch(), servers.refetch()]),
  };
}

interface AttachTargetFieldsProps {
  choices: { accounts: readonly CloudflareAccountView[]; servers: readonly ServerView[] };
  account: CloudflareAccountView | null;
  server: ServerView | null;
  onAccount: (id: number | null) => void;
  onServer: (id: number | null) => void;
}

/** The choice of the account and of the server. */
export function AttachTargetFields({ choices, account, server, onAccount, onServer }: AttachTargetFieldsProps) {
  const t = useT();
  return (
    <div className="form-grid">
      <Combobox
        label={<T k="page_rules.account" />}
        items={choices.accounts}
        value={account}
        onChange={(next) => onAccount(next?.id ?? null)}
        text={nameOf(choices.accounts)}
        placeholder={t('page_rules.no_account')}
      />
      <Combobox
        label={<T k="page_rules.server" />}
        items={choices.servers}
        value={server}
        onChange={(next) => onServer(next?.id ?? null)}
        text={({ name, ssh_host }) => `${name} — ${ssh_host}`}
        placeholder={t('page_rules.no_server')}
      />
    </div>
  );
}
