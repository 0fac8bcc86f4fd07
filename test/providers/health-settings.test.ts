import { describe, expect, test } from 'vitest';
import { parseConnectTo, pickDetour } from '../../src/lib/outgoing/connect-to.ts';
import { parseDnsServer } from '../../src/lib/outgoing/name-server.ts';
import { AppError } from '../../src/shared/errors.ts';

describe('connect-to', () => {
  test('reads entries as curl does', () => {
    expect(parseConnectTo('')).toEqual([]);
    expect(parseConnectTo('::127.0.0.1:8080, Пример.test:443:[::1]:8443,a.test:80::81,[::1]:80:b.test:')).toEqual([
      { host1: '', port1: null, host2: '127.0.0.1', port2: 8080 },
      { host1: 'xn--e1afmkfd.test', port1: 443, host2: '::1', port2: 8443 },
      { host1: 'a.test', port1: 80, host2: '', port2: 81 },
      { host1: '::1', port1: 80, host2: 'b.test', port2: null },
    ]);
  });

  test.each(['a', 'a:80', 'a:80:b', '::::', 'a:x:b:80', ':::0', ':::65536', '[a]:80:b:80', '::[127.0.0.1]:80'])(
    'names the bad entry %j',
    (entry) => {
      const parse = () => parseConnectTo(`::127.0.0.1:80,${entry}`);
      expect(parse).toThrow(AppError);
      expect(parse).toThrow(entry);
    },
  );

  test('uses the first entry that matches', () => {
    const detours = parseConnectTo('a.test:80:one:1,a.test::two:2,:443:three:3');
    const pick = (host: string, port: number) => pickDetour(detours, host, port)?.host2;
    expect([pick('a.test', 80), pick('a.test', 443), pick('b.test', 443), pick('b.test', 80)]).toEqual([
      'one',
      'two',
      'three',
      undefined,
    ]);
  });
});

describe('the name server', () => {
  test.each([
    ['127.0.0.1:5353', '127.0.0.1:5353'],
    [' 9.9.9.9 ', '9.9.9.9:53'],
    ['[2620:fe::fe]:5353', '[2620:fe::fe]:5353'],
    ['[2620:fe::fe]', '[2620:fe::fe]:53'],
    ['2620:fe::fe', '[2620:fe::fe]:53'],
    ['127.0.0.1:1', '127.0.0.1:1'],
    ['127.0.0.1:65535', '127.0.0.1:65535'],
  ])('%s', (text, server) => expect(parseDnsServer(text)).toBe(server));

  test.each([
    '',
    'dns.test',
    '1.2.3.4:',
    '1.2.3.4:0',
    '1.2.3.4:65536',
    '1.2.3.4:70000',
    '1.2.3',
    '[1.2.3.4]:53',
    '1.2.3.4:53:53',
    '[::1',
  ])('%j is refused', (text) => {
    expect(() => parseDnsServer(text)).toThrow(AppError);
  });
});
