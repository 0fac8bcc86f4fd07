import { expect, test } from 'vitest';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OBJECTS } from '../../../src/shared/audit/objects.ts';
import { isKey } from '../../../src/shared/i18n/index.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const sources = ['src', 'db'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8')),
);
const noted = sources.flatMap((text) => text.match(/\bobject: '[a-z_]+',/g) ?? []).map((found) => found.split("'")[1]!);

test('each object that the audit is noted for has its word, and can be chosen in the log', () => {
  expect(noted.length).toBeGreaterThan(20);
  expect([...new Set(noted)].filter((object) => !OBJECTS.includes(object))).toEqual([]);
  expect(OBJECTS.filter((object) => !isKey(`log.object_${object}`))).toEqual([]);
  expect(new Set(OBJECTS).size).toBe(OBJECTS.length);
});
