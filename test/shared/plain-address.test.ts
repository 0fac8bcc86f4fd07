import { expect, test } from 'vitest';
import { plainAddress } from '../../src/shared/plain-address.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
  ['::ffff:0.0.0.0', '0.0.0.0'],
  ['::ffff:255.255.255.255', '255.255.255.255'],
  ['::192.0.2.1', '::c000:201'],
  ['2001:0DB8:0:0::1', '2001:db8::1'],
  ['::1', '::1'],
  ['fe80:0::1%eth0', 'fe80::1%eth0'],
])('%s is %s in its one form', (text, plain) => expect(plainAddress(text)).toBe(plain));

test.each(['', 'unknown', '192.0.2.1:80', '[::1]', '::1]/a[', '1::2::3', '::ffff:192.0.2.256', ':', 'a:b', '%'])(
  '%j is no address, and stays as it is',
  (text) => expect(plainAddress(text)).toBe(text),
);
