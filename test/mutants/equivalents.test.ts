import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EQUIVALENTS, equivalentsAmong } from './equivalents.ts';
import { withMutants } from './mutate.ts';

test.each(Object.keys(EQUIVALENTS))('every change of %s that is left out can be made there', (module) => {
  const { mutants } = withMutants(readFileSync(new URL(`../../${module}`, import.meta.url), 'utf8'));
  expect(equivalentsAmong(module, mutants).size).toBe(EQUIVALENTS[module]?.length);
});
