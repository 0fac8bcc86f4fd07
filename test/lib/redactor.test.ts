import { describe, expect, test } from 'vitest';
import { redacting, redactorOf } from '../../src/lib/redactor.ts';

const SECRET = `p"ß\\w 0rd/+?&<'end`;

const spellings: Record<string, string> = {
  'as it is': SECRET,
  JSON: JSON.stringify({ a: SECRET }),
  'JSON in JSON': JSON.stringify({ a: JSON.stringify({ b: SECRET }) }),
  'JSON in ASCII': `{"a":${JSON.stringify(SECRET).replace('ß', String.raw`\u00df`)}}`,
  HTML: `<p>p&quot;ß\\w 0rd/+?&amp;&lt;'end</p>`,
  'HTML with its apostrophe': `<p>p&quot;ß\\w 0rd/+?&amp;&lt;&#39;end</p>`,
  'URL-encoded': encodeURIComponent(SECRET),
  'URL-encoded in lower case': encodeURIComponent(SECRET).replaceAll(/%../g, (part) => part.toLowerCase()),
  'URL-encoded with plus': encodeURIComponent(SECRET).replaceAll('%20', '+'),
  'as a form': new URLSearchParams({ a: SECRET }).toString(),
  hexadecimal: Buffer.from(SECRET).toString('hex'),
  'hexadecimal in capitals': Buffer.from(SECRET).toString('hex').toUpperCase(),
  base64: Buffer.from(SECRET).toString('base64'),
  'a Basic header': `Basic ${Buffer.from(`me:${SECRET}`).toString('base64')}`,
  'base64 of another pair': Buffer.from(`you:${SECRET}:more`).toString('base64'),
  base64url: Buffer.from(`root:${SECRET}`).toString('base64url'),
};

test.each(Object.entries(spellings))('a secret of the account is cut out of a text: %s', (_name, text) => {
  const clean = redactorOf([SECRET]).hide(`before ${text} after`);
  expect(clean).toMatch(/^before .*\*{8}.* after$/s);
  // In base64, the characters that encode bits of the secret and of its neighbours stay.
  expect(clean.replaceAll(/before|after/g, '').length).toBeLessThan(text.length);
  expect(clean).not.toContain(text.slice(8, -8));
});

test.each([
  [JSON.stringify({ a: SECRET }), '{"a":"********"}'],
  [new URLSearchParams({ a: SECRET }).toString(), 'a=********'],
  [encodeURIComponent(SECRET), '********'],
  [Buffer.from(SECRET).toString('hex'), '********'],
])('nothing of a secret is left of %s', (text, clean) => expect(redactorOf([SECRET]).hide(text)).toBe(clean));

test('the shortest secrets are cut out as words and leave all else', () => {
  for (const secret of ['x', 'я', 'xy', 'x y', '7']) {
    expect(redactorOf([secret]).hide(`e, g, eA: ${secret}. Examples of 17 words`)).toBe(
      'e, g, eA: ********. Examples of 17 words',
    );
  }
});

test('base64 keeps only the characters that a secret shares with its neighbours', () => {
  const secret = 'eighteen letters..';
  const left = ['', 'a', 'ab'].map((before) =>
    redactorOf([secret]).hide(Buffer.from(`${before}${secret}`).toString('base64')),
  );
  expect(left).toEqual(['********', expect.stringMatching(/^..\*{8}.==?$/), expect.stringMatching(/^...\*{8}.=$/)]);
});

test('a secret of three bytes is cut out in base64, a shorter one is not', () => {
  expect(redactorOf(['xyz']).hide(`a ${Buffer.from('xyz').toString('base64')} b`)).toBe('a ******** b');
  expect(redactorOf(['xy']).hide(`a ${Buffer.from('xy').toString('base64')} b`)).toBe('a eHk= b');
});

test('secrets that overlap or share a beginning are cut out whole', () => {
  const { hide } = redactorOf(['abcdefgh', 'abcdefghijkl', 'ghijklmnop']);
  expect(hide('abcdefghijkl abcdefgh.abcdefghijklmnop')).toBe('******** ********.********');
  // The secret that begins later ends first.
  expect(redactorOf(['abcdefghijkl', 'cdefgh']).hide('abcdefghijkl!')).toBe('********!');
  expect(redactorOf(['aaaaaa']).hide('aaaaaaaaa aaaaaa b')).toBe('******** ******** b');
});

test('a redactor knows nothing of another account’s secrets', () => {
  redactorOf(['example.com']).hide('example.com');
  expect(redactorOf(['another secret']).hide('example.com is in use')).toBe('example.com is in use');
  expect(redactorOf([]).hide('example.com')).toBe('example.com');
  expect(redactorOf(['']).hide('')).toBe('');
});

test('a short secret is cut out where it stands as a word, and where it stands by chance it is left', () => {
  const { hide } = redactorOf(['root']);
  expect(hide('no "root", root.')).toBe('no "********", ********.');
  expect(hide('rooted in the beetroot, 0root')).toBe('rooted in the beetroot, 0root');
  expect(redactorOf(['rooted']).hide('uprooted')).toBe('up********');
  expect(hide('root')).toBe('********');
  expect(redactorOf(['ключ']).hide('ключ, ключи')).toBe('********, ключи');
});

test('our own words stay, even where a secret equals them or is part of them', () => {
  const { hide } = redactorOf(['example.com']);
  const own = ['/srv/example.com', '/srv/example.com/a', ''];
  expect(hide('/srv/example.com/a/x: example.com', own)).toBe('/srv/example.com/a/x: ********');
  expect(hide('/srv/example.com/example.com', own)).toBe('/srv/example.com/********');
  expect(hide('/srv/example.com', [])).toBe('/srv/********');
  expect(hide('/srv/example.com', ['/srv', '/srv/example.com'])).toBe('/srv/example.com');
  expect(hide('/srv/example.com /srv/example.com.', own)).toBe('/srv/example.com /srv/example.com.');
  expect(redactorOf(['a.b.c.d']).hide('axb a.b.c.d', ['a.b'])).toBe('axb a.b.c.d');
});

test('half a character in a secret breaks nothing', () => {
  expect(redactorOf(['secret \ud800 word']).hide('a secret \ud800 word')).toBe('a ********');
});

describe('secrets learned from answers', () => {
  test('are the texts under a secret’s name, at any depth', () => {
    const redactor = redactorOf(['own secret']);
    redactor.learn({
      result: [{ access_token: 'given-0001', name: 'public name' }, { deep: { password: 'given-0002' } }],
    });
    redactor.learn('given-0003');
    redactor.learn(null);
    expect(redactor.hide('given-0001 given-0002 public name, own secret')).toBe(
      '******** ******** public name, ********',
    );
  });

  test('are none where they are as short as a word', () => {
    const redactor = redactorOf([]);
    redactor.learn({ token: 'sevenme', secret: 'password', password: 12_345_678 });
    expect(redactor.hide('sevenme password 12345678')).toBe('sevenme ******** 12345678');
  });

  test('never displace the account’s own, and the newest hundred are known', () => {
    const redactor = redactorOf(['own secret']);
    expect(redactor.hide('token-0000')).toBe('token-0000');
    redactor.learn({ token: 'token-keep' });
    expect(redactor.hide('token-keep')).toBe('********');
    for (let n = 0; n < 5_000; n += 1) {
      redactor.learn({ token: `token-${String(n).padStart(4, '0')}` });
      redactor.learn({ token: 'token-keep' });
    }
    expect(redactor.hide('own secret token-keep')).toBe('******** ********');
    expect(redactor.hide('token-4999 token-4901 token-4900')).toBe('******** ******** token-4900');
  });

  test('are dropped in the order in which they were last given', () => {
    const redactor = redactorOf([]);
    const give = (...tokens: string[]): void => tokens.forEach((token) => redactor.learn({ token }));
    const others = Array.from({ length: 100 }, (_, n) => `other-${String(n).padStart(4, '0')}`);
    give('given-first', ...others.slice(0, 99), 'given-first', ...others.slice(99));
    expect(redactor.hide('given-first other-0000 other-0099')).toBe('******** other-0000 ********');
  });

  test('are found down to a depth of 20, which no service reaches, and not below', () => {
    const nested = (depth: number): unknown => (depth === 0 ? { token: 'given-deep' } : { a: nested(depth - 1) });
    const [near, far] = [redactorOf([]), redactorOf([])];
    near.learn(nested(20));
    far.learn(nested(21));
    expect([near.hide('given-deep'), far.hide('given-deep')]).toEqual(['********', 'given-deep']);
  });
});

describe('an error', () => {
  test('loses the secrets in its message, its stack and all its causes', () => {
    const inner = new Error(`inner ${SECRET}`);
    const one = new Error(`one of several ${SECRET}`);
    const all = new AggregateError([one, 'text'], `all ${SECRET}`, { cause: inner });
    const error = new Error(`outer ${SECRET}`, { cause: all });
    inner.cause = error;
    expect(redactorOf([SECRET]).hideIn(error)).toBe(error);
    const messages = [error, all, inner, one].map(({ message }) => message);
    expect(messages).toEqual(['outer ********', 'all ********', 'inner ********', 'one of several ********']);
    for (const { stack } of [error, all, inner, one]) expect(stack).not.toContain(SECRET);
    expect(Object.getOwnPropertyDescriptor(error, 'message')).toMatchObject({ configurable: true, writable: true });
    // One failure can end several calls and is then redacted more than once.
    expect(redactorOf(['outer ']).hideIn(error)).toMatchObject({ message: '****************' });
    expect(error.stack).toContain('redactor.test');
  });

  test('keeps our own words, and a foreign error stays untouched', () => {
    const redactor = redactorOf(['example.com']);
    const theirs = new Error('example.com was cancelled');
    const error = new Error('/srv/example.com: example.com', { cause: theirs });
    redactor.hideIn(error, ['/srv/example.com'], theirs);
    expect([error.message, theirs.message]).toEqual(['/srv/example.com: ********', 'example.com was cancelled']);
    redactor.hideIn(theirs, [], theirs);
    expect(theirs.message).toBe('example.com was cancelled');
    expect(redactor.hideIn('example.com')).toBe('example.com');
    const foreign = new DOMException('example.com', 'TimeoutError');
    redactor.hideIn(foreign);
    expect([foreign.message, foreign.name]).toEqual(['********', 'TimeoutError']);
    const bare = new Error('example.com');
    delete bare.stack;
    redactor.hideIn(bare);
    expect([bare.message, bare.stack]).toEqual(['********', undefined]);
  });
});

test('the methods of an adapter throw without secrets, and their results stay as they are', async () => {
  const reason = new Error('example.com');
  const adapter = {
    read: async (path: string, fails: boolean) => {
      if (fails) throw new Error(`${path}: example.com`);
      return `${path}: example.com`;
    },
    stop: async () => {
      throw reason;
    },
  };
  const redactor = redactorOf(['example.com']);
  const ownIn = (args: readonly unknown[]) => [String(args[0])];
  const safe = redacting(adapter, redactor, { ownIn, spared: () => reason });
  expect(await safe.read('/example.com', false)).toBe('/example.com: example.com');
  await expect(safe.read('/example.com', true)).rejects.toThrow(/^\/example\.com: \*{8}$/);
  await expect(safe.stop()).rejects.toThrow('example.com');
  await expect(redacting(adapter, redactor).read('/example.com', true)).rejects.toThrow(/^\/\*{8}: \*{8}$/);
});
