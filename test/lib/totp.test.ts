import { expect, test } from 'vitest';
import { newTotpSecret, totpStep } from '../../src/lib/totp.ts';

test.each(['', '12345', '1234567', '12345a', 'Яabcde', 'ЯЯЯЯЯЯ', '12345\0', '１２３４５６'])(
  'the code %j is a wrong one, and no fault',
  (code) => {
    expect(totpStep(newTotpSecret(), code)).toBeNull();
  },
);
