import { z } from 'zod';
import { cleanHostname, isHostname } from '../hostname.ts';
import { Was } from '../stale.ts';
import { line, message, verbatim } from '../text.ts';
import {
  fieldsOf,
  optionFieldOf,
  type AccountChange,
  type AccountInput,
  type AccountKind,
  type AccountLogin,
  type Field,
  type SettingField,
} from './kind.ts';
import { partsOf, SSH_PORT } from './servers.ts';

const isIpv6 = (value: string): boolean => z.ipv6().safeParse(value).success;
const isAddress = (value: string): boolean => z.ipv4().safeParse(value).success || isIpv6(value);

/** Returns the one spelling of an address: IPv6 as short as it can be, and one that stands for an IPv4 address as that. */
function cleanAddress(address: string): string {
  if (!isIpv6(address) || !URL.canParse(`http://[${address}]`)) return address.toLowerCase();
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  return [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]).join('.');
}

/** Returns the one spelling of a host with its port; undefined: it is none. */
function cleanHost(value: string): string | undefined {
  const { host, port } = partsOf(value);
  const isBracketed = value.startsWith('[');
  const name = isAddress(host) ? cleanAddress(host) : isHostname(host) ? cleanHostname(host) : '';
  const number = Number(port || SSH_PORT);
  if (name === '' || number < 1 || number > 65_535 || (isBracketed && !isIpv6(host))) return undefined;
  if (number === SSH_PORT) return name;
  return isIpv6(name) ? `[${name}]:${number}` : `${name}:${number}`;
}

/** Returns the one spelling of a stored `ssh_host`: rows of earlier versions have an IPv6 address as it was typed. */
export const plainHost = (stored: string): string => (stored.includes(':') ? (cleanHost(stored) ?? stored) : stored);

const hostShape = (max: number, invalid: string) =>
  line(max).transform((value, context) => {
    const clean = cleanHost(value);
    if (clean !== undefined) return clean;
    context.addIssue({ code: 'custom', message: invalid });
    return z.NEVER;
  });

const isEmail = (value: string): boolean => value === '' || /^[^\s@]+@[^\s@]+$/.test(value);

const isUrl = (value: string): boolean => /^https:\/\/[^\s/]+/.test(value) && URL.canParse(value);
const MONEY = /^\d{1,7}(?:\.\d{1,2})?$/;
const SETTINGS = {
  text: { fits: () => true, message: message('team.name_empty') },
  ip: { fits: isAddress, message: message('team.ip_invalid') },
  url: { fits: isUrl, message: message('team.url_invalid') },
  money: { fits: (value: string) => MONEY.test(value), message: message('team.money_invalid') },
  flag: { fits: (value: string) => value === 'on', message: message('team.flag_invalid') },
} as const;

/** A setting may always be empty: whether its account needs it depends on another field. */
function settingShape({ max, value: kind }: SettingField): z.ZodType<string, string> {
  const { fits, message: invalid } = SETTINGS[kind];
  return line(max).refine((value) => value === '' || fits(value), invalid);
}

function shapeOf(field: Field): z.ZodType<string, string> {
  if (field.kind === 'host') return hostShape(field.max, field.invalid);
  if (field.kind === 'setting') return settingShape(field);
  const text = field.kind === 'secret' && field.lines ? verbatim(field.max) : line(field.max);
  if (field.kind === 'option') return text.refine((value) => field.options.includes(value), field.empty);
  if (field.empty !== undefined) return text.min(1, field.empty);
  if (field.kind === 'email') return text.refine(isEmail, field.invalid);
  return field.kind === 'choice' ? text.regex(field.pattern, field.invalid) : text;
}

/** A field that may be left out. An answer has null where a setting or a choice was never set, and may be sent back. */
function optionalShape(field: Field): z.ZodType {
  const shape = shapeOf(field);
  const isNullable = field.kind === 'setting' || field.kind === 'choice';
  return (isNullable ? shape.nullable().transform((value) => value ?? '') : shape).optional();
}

const formOf = (kind: AccountKind) => {
  const fields = fieldsOf(kind).map(([name, field]): [string, z.ZodType] => [
    name,
    field.empty === undefined ? optionalShape(field) : shapeOf(field),
  ]);
  return z.object({ name: line(200).min(1, message('team.name_empty')), ...Object.fromEntries(fields) });
};

type Shape<Value> = z.ZodType<Value, Value>;

/** Whether a form of an account has a setting which its option needs, but empty. An absent one is told by the account's test. */
function lacks(form: unknown, name: string, needing: readonly string[], option: string): boolean {
  if (typeof form !== 'object' || form === null || !Object.hasOwn(form, name)) return false;
  const { [name]: value = '', [option]: chosen = '' } = form as Record<string, unknown>;
  return typeof chosen === 'string' && needing.includes(chosen) && typeof value === 'string' && value.trim() === '';
}

/** Returns the form of a kind. A missing setting that its option needs is reported together with all other errors, not after them. */
export const inputOf = <K extends AccountKind>(kind: K): Shape<AccountInput<K>> => {
  const option = optionFieldOf(kind) ?? '';
  let form = formOf(kind);
  for (const [name, field] of fieldsOf(kind)) {
    if (field.kind !== 'setting' || field.needing.length === 0) continue;
    const isThere = (values: unknown): boolean => !lacks(values, name, field.needing, option);
    form = form.refine(isThere, { path: [name], message: message('team.needed'), when: () => true });
  }
  return form as unknown as Shape<AccountInput<K>>;
};

/** Returns the fields of an edit. */
export const changeOf = <K extends AccountKind>(kind: K): Shape<AccountChange<K>> =>
  formOf(kind).partial() as unknown as Shape<AccountChange<K>>;

/** Returns the body of an edit, with what its fields held when the form was opened. */
export const editOf = <K extends AccountKind>(kind: K): Shape<AccountChange<K> & { was?: Was }> =>
  formOf(kind).partial().extend({ was: Was }) as unknown as Shape<AccountChange<K> & { was?: Was }>;

/** Returns a login to test before it is saved. */
export const loginOf = <K extends AccountKind>(kind: K): Shape<AccountLogin<K>> =>
  formOf(kind).omit({ name: true }) as unknown as Shape<AccountLogin<K>>;
