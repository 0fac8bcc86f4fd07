// The queue of a service's calls while the service has refused more.
import { expect, test } from 'vitest';
import { startChild } from '../support/child.ts';

test('a process waits for its call when nothing but the end of a pause keeps it alive', async () => {
  expect(await startChild('test/children/pace.ts', ['call']).output()).toBe('called');
});

test('a pause that no call waits for keeps no process alive', async () => {
  expect(await startChild('test/children/pace.ts', []).output()).toBe('');
});
