import { isKey } from '../shared/i18n/index.ts';
import { secretColumns } from '../shared/tables.ts';

const MASK = '********';

// Names under which programs write a secret (a header, a field of JSON, a query, an assignment), and those of declared columns.
const NAMES = [
  'api[_-]?key',
  '(?:ssh_)?password',
  'passwd',
  'passphrase',
  '(?:[a-z]+[_-])?token',
  '(?:client[_-])?secret',
  '(?:proxy-)?authorization',
  '(?:set-)?cookie',
  'private[_-]?key',
  'x-auth-key',
  ...secretColumns().map(({ column }) => column),
].join('|');

// A service may answer with a megabyte of anything: each pattern starts where no other of its matches can start, so that the
// time is linear to the length of a text, not quadratic.
const PATTERNS: [pattern: RegExp, kept: string][] = [
  [/(-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----)(?:(?!-----)[\s\S])*/g, '$1'],
  [/\b(authorization\W{1,9}(?:Bearer|Basic)\s+)[^\s"'\\,;]+/gi, '$1'],
  [/\b(Bearer)\s+[\w.~+/=-]{8,}/gi, '$1 '],
  [/\b(X-Auth-Key:\s*)[^\s"'\\,;]+/gi, '$1'],
  [/\b(bot\d+:)[\w-]{20,}/g, '$1'],
  [/(?<![\w-])(?=[\w-]+\.[\w-]+\.[\w-])((?:[\w-]*?-)??)eyJ[\w-]{5,}\.[\w-]+\.[\w-]+/g, '$1'],
  [new RegExp(String.raw`("(?:${NAMES})\\*"\s*:\s*\\*")[^"\\]+`, 'gi'), '$1'],
  [new RegExp(String.raw`([?&](?:${NAMES}|key)=)[^\s&"'\\#]+`, 'gi'), '$1'],
  [new RegExp(String.raw`(?<![\w.-])((?:${NAMES})=)[^\s&"'\\#;,*]+`, 'gi'), '$1'],
  // The password in an address, such as that of a proxy.
  [/(?<=[a-z\d+.-])(:\/\/[^\s/:@"'\\]*:)[^\s/@"'\\]+(?=@)/gi, '$1'],
];

const BASIC = /\b(Basic)\s+([\w.~+/=-]{8,})/gi;
const WORDS = /^(?:[A-Z]?[a-z]+|[A-Z]+)(?:[-./](?:[A-Z]?[a-z]+|[A-Z]+))*[-./]*$/;

/** Whether a word after "Basic" may be a login, which always decodes to text with a colon; "authentication" does not. */
const mayBeLogin = (word: string): boolean => !WORDS.test(word) || Buffer.from(word, 'base64').includes(':');

const SECRET_FIELD = new RegExp(`^(?:${NAMES})$`, 'i');

/** Whether a JSON field has a name under which programs write a secret. */
export const isSecretField = (field: string): boolean => SECRET_FIELD.test(field);

/**
 * Returns a copy of a JSON value with all texts redacted; texts in fields with a secret's name are masked whole. The `key` of a stored message
 * is one of the catalogues' and stays.
 */
export const redactValue = (value: unknown): unknown =>
  value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value), (field, part: unknown) => {
        if (typeof part !== 'string') return part;
        if (field === 'key' && isKey(part)) return part;
        return isSecretField(field) ? MASK : redact(part);
      });

/**
 * Masks parts of a text where programs usually write a password or a token. It knows no values: a secret that an outside
 * service repeats elsewhere is masked by the adapter that sent it (`redactorOf`).
 */
export function redact(text: string): string {
  const clean = text.replace(BASIC, (all, scheme: string, word: string) =>
    mayBeLogin(word) ? `${scheme} ${MASK}` : all,
  );
  return PATTERNS.reduce((left, [pattern, kept]) => left.replace(pattern, `${kept}${MASK}`), clean);
}
