import type { Key, Message } from '../i18n/index.ts';
import type { Table } from '../table.ts';

/**
 * A kind of account is declared once: `accountKind<View>()({…})`, listed in `kinds.ts`. Its service, calls, screen, dialog and
 * commands derive from that. The command line loads declarations for `--help`: they import neither zod nor the catalogues.
 */

interface FieldBase {
  /** The most characters. */
  max: number;
  label: Key;
  help?: Key;
  /** The flag of the command line, without dashes; its last word names the value. */
  flag: string;
  /** The message where it is empty; without one, the field may be left out. */
  empty?: Key;
  invalid?: Key;
}

interface TextField extends FieldBase {
  kind: 'text' | 'email';
}

/** An address or a host name, with a port unless that is 22. */
interface HostField extends FieldBase {
  kind: 'host';
  empty: Key;
  invalid: Key;
  /** The message where another host comes without the secret, which must not be sent to a machine that it was not typed for. */
  again: Key;
  /** Columns that become null with another host. */
  forgets: readonly string[];
}

/** One each kind, in the secret column of its table: stored sealed, shown to those who may edit it, otherwise masked. */
interface SecretField extends FieldBase {
  kind: 'secret';
  flag: 'key' | 'password' | 'token';
  empty: Key;
  /** The help on an edit: an empty field keeps the secret. */
  kept: Key;
  /** It may be a private key of many lines. */
  lines?: true;
}

/** One of the objects that the login was last seen to reach, by its id. */
interface ChoiceField extends FieldBase {
  kind: 'choice';
  pattern: RegExp;
  invalid: Key;
  /** The JSON column with these objects (`{id, name}`); a test's answer has them as `accounts`. */
  among: string;
  /** The text of no choice. */
  none: Key;
}

/** One of fixed values, of which others of the fields depend; it can't be changed afterwards. */
interface OptionField extends FieldBase {
  kind: 'option';
  options: readonly string[];
  empty: Key;
  /** The message where another value comes with an edit. */
  locked: Key;
}

/** A setting that only accounts with some values of the option field have. A flag is `on` or empty. */
export interface SettingField extends FieldBase {
  kind: 'setting';
  value: 'text' | 'ip' | 'url' | 'money' | 'flag';
  having: readonly string[];
  /** Those that need it. */
  needing: readonly string[];
}

/** A field of a kind's login, in the column of the same name. */
export type Field = TextField | HostField | SecretField | ChoiceField | OptionField | SettingField;

/** A column of a kind's list; its value is shown by its type, unless the interface has a part for it. */
export interface Shown {
  column: string;
  header: Key;
}

/** The texts that every kind has, under its prefix. */
export const ACCOUNT_TEXTS = [
  'add',
  'add_title',
  'added',
  'add_failed',
  'edit_title',
  'saved',
  'edit_failed',
  'remove_title',
  'deleted',
  'delete_failed',
  'list_failed',
  'empty',
  'no_such',
  'test',
  'test_failed',
  'unchecked',
  'checked',
  'broken',
] as const;
type AccountText = (typeof ACCOUNT_TEXTS)[number];
type PrefixOf<K> = K extends `${infer Prefix}.add_title` ? Prefix : never;
type Complete<Prefix> = Prefix extends string ? (`${Prefix}.${AccountText}` extends Key ? Prefix : never) : never;
/** A prefix under which the catalogues have all texts of a kind. */
type TextPrefix = Complete<PrefixOf<Key>>;

/** Fields of every account in a list. */
export interface AnyView<Text = string> {
  id: number;
  name: string;
  created_at: string;
  /** Time of the last test; null: never tested. */
  checked_at: string | null;
  /** The error of the last test; null: none. */
  check_error: Text | null;
  /** Domains of the portfolio that use it. */
  domains: number;
  /** The caller made it, or is an admin. Others see the secret as its mask. */
  can_edit: boolean;
}

/** The column of a field in a list of the command line: its title for people, true for its name, false where CSV alone has it. */
type Listed = boolean | string;

export interface AccountKind<View extends AnyView = AnyView> {
  /** The word of the command line. */
  noun: string;
  table: Table;
  path: `/api/${string}`;
  /** The method of an edit. */
  edit: 'POST' | 'PUT';
  /** For the summaries of the calls: `a CDN account`, `CDN accounts`. */
  called: { one: string; many: string };
  texts: TextPrefix;
  name: Key;
  fields: Readonly<Record<string, Field>>;
  test: {
    /** The users who may test a saved account. */
    by: 'owner' | 'user';
    /** A new login is tested when it is saved. */
    onSave: boolean;
    /** A login can be tested before it is saved. */
    unsaved: boolean;
  };
  /** Its accounts can be members of CDN groups, which then use them. */
  inGroups: boolean;
  /** The columns of `list` on the command line, all fields of the view in their order. */
  listed: Readonly<Record<keyof View & string, Listed>>;
  screen: {
    path: `/${string}`;
    title: Key;
    layout: 'cards' | 'table';
    /** In a table the name comes first, unless it stands among these. */
    shown: readonly Shown[];
    /** The header of the last test, in a table. */
    state?: Key;
    /** Heading with the number of accounts. */
    count?: Key;
    /** Cards are searched by the name and these columns. */
    search?: { label: Key; columns: readonly string[] };
    /** Secrets are shown in clear until they are hidden. */
    hide?: Key;
    /** The question of a deletion and its buttons. */
    question?: { text: Key; confirm: Key; cancel: Key };
    /** The list of the domains that use an account, at this address and its id. */
    domainsAt?: string;
  };
  /** As a field of a domain. */
  chosen: { label: Key; none: Key; failed: Key } | null;
  /** Never set: it carries the type. */
  view?: View;
}

/** Declares a kind whose accounts look like `View` in the API. */
export const accountKind =
  <View extends AnyView>() =>
  <const K extends AccountKind<View>>(kind: K): K & { view?: View } =>
    kind;

/** Returns the fields of a kind by their names, in order. */
export const fieldsOf = ({ fields }: Pick<AccountKind, 'fields'>): [name: string, field: Field][] =>
  Object.entries(fields);

/** Returns the fields of a kind that an account with these values has: settings are those of its option alone. */
export function fieldsFor(
  kind: Pick<AccountKind, 'fields'>,
  values: Readonly<Record<string, unknown>>,
): [name: string, field: Field][] {
  const option = optionFieldOf(kind);
  const chosen = option === undefined ? undefined : values[option];
  const has = (field: SettingField): boolean => typeof chosen === 'string' && field.having.includes(chosen);
  return fieldsOf(kind).filter(([, field]) => field.kind !== 'setting' || has(field));
}

/** Returns the name of a kind's option field; undefined: it has none. */
export const optionFieldOf = (kind: Pick<AccountKind, 'fields'>): string | undefined =>
  fieldsOf(kind).find(([, { kind }]) => kind === 'option')?.[0];

/** Returns the name of a kind's secret field. */
export function secretFieldOf(kind: Pick<AccountKind, 'fields'>): string {
  const [name] = fieldsOf(kind).find(([, { kind }]) => kind === 'secret') ?? [];
  if (name === undefined) throw new Error('A kind of account has no secret');
  return name;
}

/** Returns the key of a text that every kind has. */
export const textOf = ({ texts }: Pick<AccountKind, 'texts'>, name: AccountText): Key => `${texts}.${name}`;

type Names<K extends AccountKind> = keyof K['fields'] & string;
type Needed<K extends AccountKind> = {
  [Name in Names<K>]: K['fields'][Name] extends { empty: Key } ? Name : never;
}[Names<K>];

/** The form of an account; all values are text. */
export type AccountInput<K extends AccountKind> = { name: string } & { [Name in Needed<K>]: string } & {
  [Name in Exclude<Names<K>, Needed<K>>]?: string | undefined;
};

/** An edit: absent fields stay, and so does a secret that comes as the mask. */
export type AccountChange<K extends AccountKind> = Partial<AccountInput<K>>;

/** A login to test before it is saved. */
export type AccountLogin<K extends AccountKind> = Omit<AccountInput<K>, 'name'>;

/** An account in a list; `Text` is Message in services and text at the doors. */
export type AccountView<K extends AccountKind, Text extends string | Message = string> = Omit<
  NonNullable<K['view']>,
  'check_error'
> & { check_error: Text | null };
