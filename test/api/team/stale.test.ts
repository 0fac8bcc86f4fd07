// An edit of an account that says what its fields were is refused where somebody has changed them since.
import { expect, test } from 'vitest';
import { newName } from '../calls.ts';
import { ask, useTeam } from './world.ts';

useTeam();

const XMLRIVER = { login: '17', key: 'key-0123456789' };
const add = async (): Promise<{ id: number; name: string }> =>
  (await ask('POST /api/xmlriver', { ...XMLRIVER, name: newName() })).body.data;

test('the name of an account is not written over', async () => {
  const { id, name } = await add();
  await ask(`PUT /api/xmlriver/${id}`, { name: 'Theirs' });
  const refused = await ask(`PUT /api/xmlriver/${id}`, { name: 'Mine', was: { name } });
  expect([refused.status, refused.body.code, refused.body.now]).toEqual([409, 'stale', { name: 'Theirs' }]);
  expect((await ask(`PUT /api/xmlriver/${id}`, { name: 'Mine', was: refused.body.now })).body.data.name).toBe('Mine');
  expect((await ask(`PUT /api/xmlriver/${id}`, { login: '18', was: { login: '17' } })).status).toBe(200);
});

test('whether a word is its secret is not told', async () => {
  const { id } = await add();
  for (const key of [XMLRIVER.key, 'other']) {
    const { status, body } = await ask(`PUT /api/xmlriver/${id}`, { name: 'Mine', was: { key } });
    expect([status, body]).toEqual([
      400,
      { error: expect.any(String), code: 'invalid', fields: { was: 'Недопустимое значение' } },
    ]);
  }
});
