import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import type { Actor } from '../../../src/services/access/scope.ts';
import { markNames } from '../../../src/services/purchases/name-marks.ts';
import { addUser, startDatabase, type TestDatabase } from '../../support/database.ts';
import { temporaryConfig } from '../../support/server.ts';
import { addDomains, blockNames } from './known-names.ts';

let database: TestDatabase;
let ann: Actor;
let bob: Actor;

beforeEach(async () => {
  database = await startDatabase();
  temporaryConfig({}, database.folder);
  [ann, bob] = [await addUser('ann'), await addUser('bob')];
});
afterEach(() => database.close());

describe('marks', () => {
  test('tell what speaks against a name, whoever has it', async () => {
    await addDomains(ann, ['own.ru', 'shop.above.ru', 'deep.er.above2.ru']);
    await addDomains(bob, ['other.ru', 'held.co.uk']);
    await addDomains(ann, ['gone.ru'], '2026-01-01T00:00:00.000Z');
    await blockNames('blocked.ru', '*.mask.ru');
    const marks = {
      'own.ru': 'held',
      'other.ru': 'held',
      'held.co.uk': 'held',
      'gone.ru': 'past',
      'above.ru': 'related',
      'above2.ru': 'related',
      'blocked.ru': 'blocked',
      'new.ru': 'new',
      'ove.ru': 'new',
      // Nobody sells what is below a registered name, nor a public suffix.
      'www.new.ru': 'invalid',
      'co.uk': 'invalid',
      '-edge.ru': 'invalid',
      'no name': 'invalid',
      '': 'invalid',
    };
    const names = Object.keys(marks);
    expect(Object.fromEntries((await markNames(names)).map((mark, index) => [names[index], mark]))).toEqual(marks);
  });

  test('a name that was bought, or may have been, is past; a name that was not bought is new', async () => {
    const states = ['committed', 'reserved', 'unknown', 'pending', 'released', 'simulated'];
    const rows = states.map((state) => ({ state, name: `${state}.ru` }));
    await transaction(async () => {
      for (const { state, name } of rows) {
        await execute(
          `INSERT INTO purchases (kind, domain_name, state, registrar_type, asked_by, years, currency, price, periods, day, reference,
             looks, evidence, created_at, changed_at)
           VALUES ('register', $name, $state, 'reg.ru', 'person', 1, 'RUB', 100, '[]', '2026-11-23', $name, 0, '[]', '', $at)`,
          { name, state, at: '2026-11-23T00:00:00.000Z' },
        );
      }
    });
    const marks = await markNames(rows.map(({ name }) => name));
    expect(marks).toEqual(['past', 'past', 'past', 'past', 'new', 'new']);
  });

  test('a name that was deleted and added again is held; without a list nothing is blocked', async () => {
    await addDomains(ann, ['again.ru'], '2026-01-01T00:00:00.000Z');
    await addDomains(ann, ['again.ru']);
    expect(await markNames(['again.ru', 'blocked.ru'])).toEqual(['held', 'new']);
  });
});
