import { arsenkinKind } from './arsenkin.ts';
import { cloudflareKind } from './cloudflare-accounts.ts';
import { registrarKind } from './registrars.ts';
import { serverKind } from './servers.ts';
import { xmlriverKind } from './xmlriver.ts';

/** Every kind of account, in the order of the menu. */
export const KINDS = [cloudflareKind, serverKind, registrarKind, xmlriverKind, arsenkinKind] as const;

export type Kind = (typeof KINDS)[number];
export type AccountTable = Kind['table']['name'];

/** Returns the kind with a word of the command line. */
export function kindOf(noun: string): Kind {
  const kind = KINDS.find((one) => one.noun === noun);
  if (!kind) throw new Error(`There is no kind of account ${noun}`);
  return kind;
}

/** Returns the kind whose accounts are in a table; undefined: there is none. */
export const kindIn = (table: string): Kind | undefined => KINDS.find((one) => one.table.name === table);
