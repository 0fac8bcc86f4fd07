import { expect, it } from 'vitest';
import { keyName } from '../../ui/kit/useKeys.ts';

const press = (code: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey', boolean>> = {}) =>
  keyName({ code, ctrlKey: false, metaKey: false, shiftKey: false, ...held });

it('keyName names a key by its position, whatever it types', () => {
  expect(press('KeyK', { ctrlKey: true })).toBe('Ctrl+KeyK');
  expect(press('KeyK', { metaKey: true })).toBe('Ctrl+KeyK');
  expect(press('Slash', { shiftKey: true })).toBe('Shift+Slash');
  expect(press('KeyR')).toBe('KeyR');
});
