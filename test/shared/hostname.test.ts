import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/shared/errors.ts';
import { cleanHostname, cleanNewHostname, isHostname, parseHostnames } from '../../src/shared/hostname.ts';
import { toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import { Hostname } from '../../src/shared/portfolio/domains.ts';

function errorOf(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('cleanHostname', () => {
  it.each([
    ['example.com', 'example.com'],
    ['HTTPS://Example.COM/', 'example.com'],
    ['http://example.com', 'example.com'],
    [' example.com.\t', 'example.com'],
    ['sub.sub.example.com', 'sub.sub.example.com'],
    ['Привет.РФ', 'xn--b1agh1afp.xn--p1ai'],
    ['приве\u0442.рф', 'xn--b1agh1afp.xn--p1ai'],
    ['и\u0306.рф', 'xn--i1a.xn--p1ai'],
    ['faß.de', 'xn--fa-hia.de'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['example.com。', 'example.com'],
    ['ｅｘａｍｐｌｅ.com', 'example.com'],
    ['so\u00ADft\u200B.com', 'soft.com'],
    ['xn--80ak6aa92e.com', 'xn--80ak6aa92e.com'],
    ['-name-.example.com', '-name-.example.com'],
    [`${'x'.repeat(63)}.com`, `${'x'.repeat(63)}.com`],
    [`${'a.'.repeat(124)}com1x`, `${'a.'.repeat(124)}com1x`],
  ])('%j is %s', (raw, host) => {
    expect(cleanHostname(raw)).toBe(host);
  });

  it.each([
    '',
    '   ',
    'localhost',
    'http://',
    'http:///example.com',
    'http://http://example.com',
    'ftp://example.com',
    'example.com/path',
    'example.com//',
    'example.com:80',
    'user@example.com',
    'example.com?q',
    'example.com#part',
    'ex ample.com',
    'ex\tample.com',
    'ex%61mple.com',
    'ex_ample.com',
    'a..b',
    '.com',
    'example.com..',
    '\u00AD.com',
    '0x7f.1',
    '2130706433',
    '127.0.0.1',
    '１２７.１',
    '1.2.3.4.',
    '[::1]',
    `${'x'.repeat(64)}.com`,
    `${'я'.repeat(60)}.рф`,
    `${'a.'.repeat(125)}comx`,
  ])('%j is an incorrect URL', (raw) => {
    const error = errorOf(() => cleanHostname(raw));
    expect([error.kind, error.message]).toEqual(['invalid', 'Incorrect URL']);
  });

  it.each(['xn--a.com', 'xn--.com', '1.2.3.400', 'a／b.com', '\uD800.com', '\u0301.com', '℀.com'])(
    '%j fails in the conversion',
    (raw) => {
      const error = errorOf(() => cleanHostname(raw));
      expect([error.kind, error.message]).toEqual(['invalid', 'URL check error']);
    },
  );

  it('refuses a huge text', () => {
    for (const letter of ['x', 'я', ' ', '.']) expect(isHostname(`${letter.repeat(1_000_000)}.com`)).toBe(false);
  });

  it('returns a host that stays the same when cleaned again, or throws an AppError', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.domain(),
      fc.webUrl(),
      fc
        .array(fc.constantFrom('a', 'я', '1', '.', '-', '。', 'xn--', '\u00AD', '/', ' ', '%2e', '0x'))
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(anything, (raw) => {
        if (!isHostname(raw)) return;
        const host = cleanHostname(raw);
        expect(host).toMatch(/^([a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}$/);
        expect(host.length).toBeLessThanOrEqual(253);
        expect(cleanHostname(host)).toBe(host);
        expect(new URL(`http://${host}/`).hostname).toBe(host);
        expect(cleanHostname(toUnicode(host))).toBe(host);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('Hostname', () => {
  it('strips blanks anywhere', () => {
    expect(Hostname.parse(' exa mple .com\n')).toBe('example.com');
  });

  it('reports an error by its key', () => {
    expect(Hostname.safeParse('example').error?.issues[0]?.message).toBe('hostname.incorrect');
    expect(Hostname.safeParse('xn--a.com').error?.issues[0]?.message).toBe('hostname.error');
    expect(Hostname.safeParse(7).success).toBe(false);
  });
});

describe('cleanNewHostname', () => {
  it.each(['-bad.ru', 'bad-.ru', 'a.b-', 'a.-b', 'www.-bad.ru', 'www.bad-.ru', '-.ru', 'Я-.рф'])(
    'refuses %j',
    (raw) => {
      const error = errorOf(() => cleanNewHostname(raw));
      expect([error.kind, error.message]).toEqual([
        'invalid',
        'Имя домена не может начинаться или заканчиваться дефисом',
      ]);
      expect(isHostname(raw)).toBe(true);
    },
  );

  it.each(['a-b.ru', 'a--b.ru', 'xn--b1agh1afp.xn--p1ai', 'www.a-b.co.uk'])('takes %j', (host) => {
    expect(cleanNewHostname(host)).toBe(host);
  });

  it('refuses what is no host as such', () => {
    expect(errorOf(() => cleanNewHostname('-a_b.ru')).message).toBe('Incorrect URL');
  });
});

describe('parseHostnames', () => {
  it('splits and cleans the names, and drops duplicates and comments', () => {
    const text =
      'b.com, A.com;a.com\r\nhttps://c.ru/ wrong # d.com, e.com\n#f.com\n,;\nпривет.рф\nxn--b1agh1afp.xn--p1ai';
    expect(parseHostnames(text)).toEqual({
      hosts: ['b.com', 'a.com', 'c.ru', 'xn--b1agh1afp.xn--p1ai'],
      invalid: ['wrong'],
      duplicates: 2,
    });
  });

  it('accepts an empty text', () => {
    expect(parseHostnames(' \n')).toEqual({ hosts: [], invalid: [], duplicates: 0 });
  });
});
