// XMLRiver and Arsenkin accounts over HTTP: their shapes, their secrets, and their tests.
import { describe, expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { newName } from '../calls.ts';
import { ask, KEY, make, MASK, other, owner, refusalOf, server, TOKEN, useSearch } from './world.ts';

useSearch();

const KINDS = [
  {
    path: 'xmlriver',
    table: 'xmlriver_accounts',
    field: 'key',
    secret: KEY,
    more: { login: '12345' },
    balance: /^\d+\.\d\d$/,
  },
  { path: 'arsenkin', table: 'arsenkin_accounts', field: 'token', secret: TOKEN, more: {}, balance: /^500$/ },
];

describe.each(KINDS)('$path', ({ path, table, field, secret, more, balance }) => {
  const account = (change: object = {}) => ({ name: newName(), ...more, [field]: secret, ...change });
  const rowFor = async (id: number, person = owner) =>
    (await ask(`GET /api/${path}`, undefined, person)).body.data.find((row: { id: number }) => row.id === id);
  const sealed = async (id: number) =>
    (await select<{ text: string }>(`SELECT ${field} AS text FROM ${table} WHERE id = $id`, { id }))[0]?.text;

  test('is added with its balance, listed, edited and deleted', async () => {
    const { status, body } = await ask(`POST /api/${path}`, account({ name: 'First' }));
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: expect.any(Number), name: 'First', ...more, [field]: secret });
    const { id } = body.data;
    expect(await rowFor(id)).toEqual(body.data);
    expect(body.data.balance).toMatch(balance);
    const edited = await ask(`PUT /api/${path}/${id}`, account({ name: 'Second' }));
    expect([edited.status, edited.body.data.name]).toEqual([200, 'Second']);
    const deleted = await ask(`DELETE /api/${path}/${id}`);
    expect([deleted.status, Object.keys(deleted.body)]).toEqual([200, ['message']]);
    expect(await rowFor(id)).toBeUndefined();
    expect((await ask(`DELETE /api/${path}/${id}`)).status).toBe(404);
    expect((await ask(`PUT /api/${path}/${id}`, account())).status).toBe(404);
  });

  test('has a balance of null where it can’t be had, and says why without the secret', async () => {
    const wrong = 'wrong-0123456789-wrong';
    const made = await make(path, account({ [field]: wrong }));
    expect([made.balance, made.check_error]).toEqual([null, expect.any(String)]);
    expect(made.check_error).not.toContain(wrong);
    // The balance of the former login does not pass for that of the new one.
    const { id } = await make(path, account());
    const { data } = (await ask(`PUT /api/${path}/${id}`, account({ [field]: wrong }))).body;
    expect([data.balance, data.balance_currency, data.check_error]).toEqual([null, null, expect.any(String)]);
    expect((await rowFor(id)).balance).toBeNull();
    expect((await ask(`PUT /api/${path}/${id}`, account())).body.data.balance).toMatch(balance);
    // Another name is no other login.
    expect((await ask(`PUT /api/${path}/${id}`, { name: 'Renamed' })).body.data.balance).toMatch(balance);
  });

  test('shows its secret to its creator and admins; a mask that is written back keeps it', async () => {
    const { id } = await make(path, account());
    const before = await sealed(id);
    expect(before).not.toContain(secret);
    expect((await rowFor(id, server.admin))[field]).toBe(secret);
    const shown = await rowFor(id, other);
    expect([shown[field], shown.can_edit]).toEqual([MASK, false]);
    for (const call of [`PUT /api/${path}/${id}`, `DELETE /api/${path}/${id}`]) {
      const answer = await ask(call, call.startsWith('PUT') ? account() : undefined, other);
      expect([call, answer.status, answer.body.code]).toEqual([call, 403, 'forbidden']);
    }
    const kept = await ask(`PUT /api/${path}/${id}`, account({ name: 'Kept', [field]: MASK }));
    expect(kept.body.data).toMatchObject({ name: 'Kept', [field]: secret });
    expect((await ask(`PUT /api/${path}/${id}`, { name: 'Shorter' })).body.data[field]).toBe(secret);
    const refused = await ask(`POST /api/${path}`, account({ [field]: MASK }));
    expect(refusalOf(refused)).toEqual([400, 'invalid', [field]]);
  });

  test('is refused with the error of each field', async () => {
    expect(refusalOf(await ask(`POST /api/${path}`, {}))).toEqual([
      400,
      'invalid',
      ['name', ...Object.keys(more), field],
    ]);
    for (const name of ['', ' ', 'a\0b', 'x'.repeat(5_000), 5, null]) {
      expect(refusalOf(await ask(`POST /api/${path}`, account({ name })))).toEqual([400, 'invalid', ['name']]);
    }
    for (const value of ['', 'a\nb', 'a\0b', 'x'.repeat(501), 5, null]) {
      const answer = await ask(`POST /api/${path}`, account({ [field]: value }));
      expect([value, ...refusalOf(answer)]).toEqual([value, 400, 'invalid', [field]]);
    }
    for (const id of ['0', '-1', 'x', '99999999999999999999']) {
      expect((await ask(`PUT /api/${path}/${id}`, account())).status).toBe(404);
    }
  });
});
