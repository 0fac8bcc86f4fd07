import type { ComponentType } from 'react';
import type { AccountView } from '../../src/shared/accounts/kind.ts';
import type { Kind } from '../../src/shared/accounts/kinds.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import type { Account } from './calls.ts';
import { ChangedKey, Host, HostHelp, HostKey } from './HostKeys.tsx';
import { NameServers } from './NameServers.tsx';
import { RegistrarActs, RegistrarFacts } from './RegistrarParts.tsx';
import { ArsenkinLasts, SearchBalance, XmlriverLasts } from './SearchParts.tsx';

/** Parts of the screen and the form that a single kind has. */
interface Parts<View> {
  /** In place of a column's value. */
  cells?: Readonly<Record<string, ComponentType<{ account: View }>>>;
  /** Above the list, for each account. */
  Notice?: ComponentType<{ account: View }>;
  /** The text of an alarm, in place of the last test; undefined: there is none. */
  alarm?: (account: View) => Key | undefined;
  /** Below the last test. */
  Below?: ComponentType<{ account: View }>;
  /** Beneath the name, in a table; a line of its own on a card. */
  Beneath?: ComponentType<{ account: View }>;
  /** Before the actions of every account; may be used by whoever sees it. */
  Acts?: ComponentType<{ account: View }>;
  /** In place of the help of a field. `id` is that of the account, if it is there already. */
  helps?: Readonly<Record<string, ComponentType<{ value: string; id: number | undefined }>>>;
}

const PARTS: { [K in Kind as K['noun']]?: Parts<AccountView<K>> } = {
  cloudflare: { cells: { ns_1: NameServers } },
  registrar: { Beneath: RegistrarFacts, Acts: RegistrarActs },
  xmlriver: { cells: { balance: SearchBalance }, Beneath: XmlriverLasts },
  arsenkin: { cells: { balance: SearchBalance }, Beneath: ArsenkinLasts },
  server: {
    cells: { ssh_host: Host },
    Notice: ChangedKey,
    alarm: ({ host_key_seen }) => (host_key_seen ? 'servers.key_changed' : undefined),
    Below: HostKey,
    helps: { ssh_host: HostHelp },
  },
};

/** Returns the parts of a kind's own. */
export const partsOf = ({ noun }: Kind): Parts<Account> => (PARTS[noun] ?? {}) as Parts<Account>;
