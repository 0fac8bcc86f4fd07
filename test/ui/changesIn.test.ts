import { expect, test } from 'vitest';
import { changesIn } from '../../ui/kit/form/changesIn.ts';

test('the changes of a form are the fields that differ from what it began with', () => {
  const before = { name: 'a', tags: ['x'], project_id: null, untouched: '' };
  expect(changesIn(before, { ...before, tags: ['x'] })).toEqual({});
  expect(changesIn<object>(before, { ...before, name: '', tags: ['x', 'y'], project_id: 0 })).toEqual({
    name: '',
    tags: ['x', 'y'],
    project_id: 0,
  });
});

test('fields that belong together are sent together where one of them has changed', () => {
  const before = { from: '23:00', until: '07:00', zone: 'UTC' };
  const together = [['from', 'until']] as const;
  expect(changesIn(before, { ...before, until: '08:00' }, together)).toEqual({ from: '23:00', until: '08:00' });
  expect(changesIn(before, { ...before, zone: 'Europe/Moscow' }, together)).toEqual({ zone: 'Europe/Moscow' });
});
