const MASK = '********';

// A shorter word would be cut out of every sentence in which it stands by chance.
const SHORTEST = 6;

// Secrets that nobody told us of, by the form in which programs write them: a header, a field of JSON, a query.
const NAMES = 'api_key|ssh_password|password|token|secret|authorization|cookie|x-auth-key';
const PATTERNS: [pattern: RegExp, kept: string][] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 '],
  [/\b(X-Auth-Key:\s*)[^\s"'\\,;]+/gi, '$1'],
  [/\b(bot\d+:)[\w-]{20,}/g, '$1'],
  [/\beyJ[\w-]{5,}\.[\w-]+\.[\w-]+/g, ''],
  [new RegExp(String.raw`(\\*"(?:${NAMES})\\*"\s*:\s*\\*")[^"\\]+`, 'gi'), '$1'],
  [new RegExp(String.raw`([?&](?:${NAMES}|key)=)[^\s&"'\\#]+`, 'gi'), '$1'],
];

// Secrets in use are far fewer; without an end, whoever tries one key after the other would slow every text down.
const MOST_KNOWN = 2000;

// Each secret with its spellings, the one that was used last at the end.
const known = new Map<string, string[]>();

/** How base64 writes the bytes wherever they stand in a longer text: what its first and last characters share is left out. */
function base64Spellings(bytes: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const whole = Math.floor(((offset + bytes.length) * 8) / 6);
    const shared = Math.ceil((offset * 8) / 6);
    return Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(shared, whole);
  });
}

/** How a secret may be written by whoever passes it on, each way once. */
function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const url = encodeURIComponent(secret);
  const hex = bytes.toString('hex');
  const base64 = base64Spellings(bytes);
  const all = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
    url,
    url.replaceAll('%20', '+'),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  return [...new Set(all)];
}

/**
 * From now on this value is cut out of every text of the process that passes `redact`, unless two thousand others come
 * after it. Under six characters it is not.
 */
export function rememberSecret(secret: string): void {
  if (secret.length < SHORTEST) return;
  const spellings = known.get(secret) ?? spellingsOf(secret);
  known.delete(secret);
  known.set(secret, spellings);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
}

const SECRET_FIELD = new RegExp(`^(?:${NAMES})$`, 'i');

/** A value of JSON whose texts are without secrets; what stands in a field of a secret's name is cut out whole. */
export const redactValue = (value: unknown): unknown =>
  value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value), (field, part: unknown) => {
        if (typeof part !== 'string') return part;
        return SECRET_FIELD.test(field) ? MASK : redact(part);
      });

/**
 * A text without secrets: values that this process has held (as they are, in JSON, URL-encoded, hexadecimal or in
 * base64) and what stands where programs write a password or a token.
 */
export function redact(text: string): string {
  let clean = text;
  const found: string[] = [];
  for (const spellings of known.values()) found.push(...spellings.filter((spelling) => text.includes(spelling)));
  // One may be the beginning of another, whose rest would stay.
  for (const spelling of found.sort((a, b) => b.length - a.length)) clean = clean.replaceAll(spelling, MASK);
  for (const [pattern, kept] of PATTERNS) clean = clean.replace(pattern, `${kept}${MASK}`);
  return clean;
}
