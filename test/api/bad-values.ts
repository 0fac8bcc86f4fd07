// Bodies, values, forms and queries that no call may take as they are.

const deep = (levels: number): Buffer => Buffer.from('['.repeat(levels) + ']'.repeat(levels));

/** Bodies by what they are; none is a valid body of any call. */
export const BROKEN: Record<string, Buffer> = {
  'an empty list': Buffer.from('[]'),
  null: Buffer.from('null'),
  'a text': Buffer.from('"x"'),
  'a number': Buffer.from('12'),
  'half an object': Buffer.from('{"name": "x"'),
  'two objects': Buffer.from('{}{}'),
  'a comma too many': Buffer.from('{"name":"x",}'),
  'single quotes': Buffer.from("{'name':'x'}"),
  NaN: Buffer.from('{"name":NaN}'),
  'no UTF-8': Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  'an overlong slash': Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
  'UTF-16': Buffer.from('{"name":"x"}', 'utf16le'),
  'a NUL': Buffer.from('\0'),
  'a raw control character': Buffer.from('{"name":"a\u0001b"}'),
  'nesting of 100': deep(100),
  'nesting of 30,000': deep(30_000),
  'objects of 30,000 levels': Buffer.from('{"a":'.repeat(30_000) + '1' + '}'.repeat(30_000)),
  HTML: Buffer.from('<html></html>'),
};

/** One value of each kind; a field may accept some of them. */
export const WRONG: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  '',
  ' ',
  [],
  [1],
  {},
  { length: 1 },
  [[]],
  'NaN',
  '\0',
];
WRONG.push('a\u0000b', '\ud800', '\u202e', '\r\nSet-Cookie: a=b', "' OR 1=1 --", 'x'.repeat(100_000), '1e400');
WRONG.push({ $gt: '' }, { toString: 'x' }, ['a', 'b'], '%00', '../../etc/passwd', '${7*7}', '😀', '\u0085', 9e15);

const part = (name: string, value: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const manyParts = Array.from({ length: 1000 }, (_, index) => part(`f${index}`, 'x')).join('');

/** Broken forms by what they are, with their content type where that is wrong too. */
export const FORMS: Record<string, [string, string?]> = {
  'no boundary': [part('name', 'x'), 'multipart/form-data'],
  'another boundary': [part('name', 'x'), 'multipart/form-data; boundary=y'],
  'no end': [part('name', 'x')],
  'no form': ['{"domain_name":"a.example"}'],
  'a header alone': ['--x\r\nContent-Disposition: form-data'],
  'a thousand fields': [`${manyParts}--x--\r\n`],
  'a field of 2 MB': [`${part('domain_name', 'x'.repeat(2 * 1024 * 1024))}--x--\r\n`],
  'an unknown file': [
    `--x\r\nContent-Disposition: form-data; name="other"; filename="../../evil.txt"\r\n\r\nabc\r\n--x--\r\n`,
  ],
  'keys of prototypes': [`${part('__proto__', 'x')}${part('constructor', 'x')}${part('toString', 'x')}--x--\r\n`],
};

/** Texts that are read as more than a text. */
export const PAYLOADS = [
  "' OR 1=1 --",
  '1;DROP TABLE users',
  '(SELECT password FROM users)',
  '__proto__',
  'constructor',
];
/** Values that a parameter of a query may not have. */
export const BAD_QUERIES: Record<string, string[]> = {
  limit: ['0', '-1', '1.5', 'abc', '', ' ', 'NaN', '100001', '1e400', '99999999999999999999', '1&limit=2', ...PAYLOADS],
  offset: ['-1', '1.5', 'abc', 'NaN', '1e400', '1&offset=2', ...PAYLOADS],
  sort: ['', 'nonsense', '--id', 'id desc', 'd.id', 'password', 'ID', 'id,id', 'a&sort=b', ...PAYLOADS],
  search: ['%00', 'a%0ab', 'a%1b', 'x'.repeat(201), 'a&search=b'],
};

/** The routes that accept any text as a password or a code; each try of one is counted. */
export const COUNTED = new Set([
  'POST /api/login',
  'POST /api/passkey_login',
  'PUT /api/password',
  'POST /api/second_factor/totp',
  'POST /api/second_factor/totp/confirm',
  'POST /api/second_factor/totp/remove',
  'POST /api/second_factor/recovery_codes',
  'POST /api/passkeys/options',
  'POST /api/passkeys/:id/remove',
  'POST /api/telegram/unlink',
  'POST /api/notice-preferences/email/remove',
]);
