import { expect, test } from 'vitest';
import type { ItemState, StoredAct } from '../../../src/shared/operations.ts';
import { stagesOf } from '../../../src/shared/transfers/stages.ts';

const MARKS = { done: '+', running: '>', waiting: '.', failed: '!' };

/** Returns the stages of a move in short; an act that ends with `?` is begun, with `-` taken back. */
function told(state: ItemState, ...names: string[]): string {
  const acts = names.map((text): StoredAct => {
    const name = text.replace(/[?-]$/, '');
    return { name, state: text.endsWith('?') ? 'intent' : text.endsWith('-') ? 'undone' : 'done' };
  });
  return stagesOf({ state, acts })
    .map(({ stage, state }) => MARKS[state] + stage)
    .join(' ');
}

test('stages are told as far as the acts have come', () => {
  expect(told('queued')).toBe('>ready .files .dns .site .gate .redirect .roles .seen');
  expect(told('intent', 'check', 'zone', 'upload?')).toBe('+ready >files .dns .site .gate .redirect .roles .seen');
  expect(told('intent', 'check', 'upload', 'dns')).toBe('+ready +files +dns >site .gate .redirect .roles .seen');
});

test('a stage without an act is left out once it is passed', () => {
  expect(told('intent', 'check', 'dns', 'gate', 'redirect?')).toBe('+ready +dns +gate >redirect .roles .seen');
  expect(told('done', 'check', 'dns', 'redirect', 'swap', 'chain:a.ru', 'verify')).toBe(
    '+ready +dns +redirect +roles +seen',
  );
});

test('a move that has stopped, or goes back, says where', () => {
  expect(told('failed', 'check', 'dns', 'gate?')).toBe('+ready +dns !gate .redirect .roles .seen');
  expect(told('intent', 'check', 'dns-')).toBe('+ready !dns .site .gate .redirect .roles .seen');
});
