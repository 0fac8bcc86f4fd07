// A marker for every secret field, and the search for markers in bytes.
import { randomBytes } from 'node:crypto';

/** Returns random hexadecimal digits. */
export const hex = (length: number): string => randomBytes(length).toString('hex').slice(0, length);

/** The secrets by field; no byte may contain them elsewhere. Their formats are those of the CDN's own keys. */
export const MARKERS = {
  'api_key by the API': hex(37),
  'api_key before an edit': hex(37),
  'api_key by the command line': hex(40),
  'api_key that was only tried': hex(37),
  'api_key of a refused body': hex(37),
  'ssh_password by the API': `Пароль "${hex(24)}" +/&=?%\\`,
  'ssh_password before an edit': `old ${hex(24)}`,
  'ssh_password by the command line': hex(30),
  'ssh_password of a refused body': hex(30),
  'ssh_password of broken JSON': hex(30),
  'key of XMLRiver by the API': `ключ "${hex(24)}" +/&=?%\\`,
  'key of XMLRiver before an edit': hex(40),
  'key of XMLRiver by the command line': hex(40),
  'key of XMLRiver that was only tried': hex(40),
  'key of XMLRiver of a refused body': hex(40),
  'token of Arsenkin by the API': hex(32),
  'token of Arsenkin before an edit': hex(32),
  'token of Arsenkin by the command line': hex(32),
  'token of Arsenkin that was only tried': hex(32),
  'token of Arsenkin of a refused body': hex(32),
  'passphrase of a backup': hex(30),
  'wrong passphrase of a backup': hex(30),
  'password in the address of the list': hex(30),
  'token in the address of the list': hex(30),
  'password of a proxy': hex(30),
  'password of the mail server': hex(30),
  'token of the bot': `70000001:${hex(35)}`,
  'password of a user': hex(30),
  'password of a failed sign-in': hex(30),
  'token of the measures': hex(30),
  'path of a heartbeat': hex(30),
  'token of a heartbeat': hex(30),
  'heartbeat of a refused body': hex(30),
};
/** A field that holds a marker. */
export type Marker = keyof typeof MARKERS;

/** Returns the encodings in which a text may be passed on. */
function spellings(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  const utf16 = Buffer.from(secret, 'utf16le');
  // Base64 of a longer text: the part that its neighbours do not affect, at each of the three offsets.
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(4, Math.floor(((shift + bytes.length) * 4) / 3)),
  );
  const url = encodeURIComponent(secret);
  const texts = [
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    url,
    url.replaceAll('%20', '+'),
    url.toLowerCase(),
  ].map((text) => Buffer.from(text));
  return [bytes, utf16, Buffer.from(utf16).swap16(), ...texts];
}

const SPELLINGS = Object.entries(MARKERS).map(([field, secret]) => ({ field, spellings: spellings(secret) }));

/** Adds a secret that the server made up: it is searched for like the markers, under a name. */
export const addMarker = (field: string, secret: string): void => {
  SPELLINGS.push({ field, spellings: spellings(secret) });
};

/** Returns the fields whose markers occur in some bytes. */
export const found = (bytes: Buffer | string): string[] => {
  const searched = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
  return SPELLINGS.filter(({ spellings }) => spellings.some((spelling) => searched.includes(spelling))).map(
    ({ field }) => field,
  );
};
