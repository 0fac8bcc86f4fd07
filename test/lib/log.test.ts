import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../../src/lib/log.ts';
import { AppError } from '../../src/shared/errors.ts';

let lines: { err?: { type: string; message: string; stack: string; code: string }; reason?: string }[] = [];
beforeEach(() => {
  lines = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    lines.push(JSON.parse(String(line)));
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

const failure = (): AppError =>
  new AppError('unavailable', 'error.database', {}, { cause: new AppError('not_found', 'error.not_found') });

test('the message of an AppError is logged in the language of the log, with that of its cause and in its stack; its code stays', () => {
  const error = failure();
  const cause = error.cause as AppError;
  createLog('info', 'en').error({ err: error }, 'request failed');
  createLog('info', 'ru').error({ err: error }, 'request failed');
  const [english, russian] = lines.map(({ err }) => err);
  for (const text of [error, cause].map((one) => one.in('en'))) {
    expect(english?.message).toContain(text);
    expect(english?.stack).toContain(text);
  }
  expect(JSON.stringify(english)).not.toMatch(/[а-яё]/i);
  for (const text of [error, cause].map((one) => one.in('ru'))) expect(russian?.message).toContain(text);
  expect([english?.code, english?.type]).toEqual(['unavailable', 'AppError']);
  // The web's answer is rendered from the same error.
  expect(error.in('ru')).toBe(error.message);
});

test('an AppError inside of another error, and one as the reason of a line, are in the language of the log', () => {
  const inner = new AppError('not_found', 'error.not_found');
  const log = createLog('info', 'en');
  log.warn({ err: new Error('outside', { cause: inner }) }, 'failed');
  log.info({ reason: inner }, 'left alone');
  expect(lines[0]?.err?.message).toBe(`outside: ${inner.in('en')}`);
  expect(lines[1]?.reason).toBe(inner.in('en'));
});

test('an error whose cause is itself, and what is no error, are logged', () => {
  const error = new Error('round');
  error.cause = error;
  const log = createLog('info', 'en');
  log.warn({ err: error }, 'failed');
  log.warn({ err: 'text' }, 'failed');
  expect(lines).toHaveLength(2);
});
