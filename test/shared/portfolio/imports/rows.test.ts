import { describe, expect, test } from 'vitest';
import type { ExistingDomain } from '../../../../src/shared/portfolio/import-existing.ts';
import { groupMessages } from '../../../../src/shared/portfolio/import-stage.ts';
import { brief, known, ME, stage, utf8 } from './staging.ts';

describe('the result of a row', () => {
  test('comes from the first valid row of a name', () => {
    const staged = stage(utf8('domain;expires\na.com;31.31.2026\nA.com;01.02.2027\na.com;01.03.2027\nb.com;'));
    expect(brief(staged)).toEqual([
      [2, 'error', 'a.com', 'import.bad_date'],
      [3, 'create', 'a.com'],
      [4, 'skip', 'a.com', 'import.duplicate'],
      [5, 'create', 'b.com'],
    ]);
    expect(staged.rows[2]?.messages[0]?.params).toEqual({ value: 'a.com', line: 3 });
    expect(staged.counts).toEqual({ create: 2, update: 0, skip: 1, error: 1 });
  });

  test('with a name of another user is `taken`, without further details', () => {
    const staged = stage(utf8('a.com'), { mode: 'overwrite' }, { domains: new Map([['a.com', 'taken']]) });
    expect(brief(staged)).toEqual([[1, 'error', 'a.com', 'import.taken']]);
  });

  const text = utf8('domain;project;type;expires\na.com;Юг;резервный;01.02.2027');
  const change = (mode: string, row: Partial<ExistingDomain>) =>
    stage(text, { mode }, { domains: new Map([['a.com', known(row)]]) }).rows[0];

  test('with a known name is skipped by default', () => {
    expect(change('skip', {})).toMatchObject({ action: 'skip', changes: [], target: null });
  });

  test('with mode fill keeps present values', () => {
    expect(change('fill', { project: 'Север', project_id: 3 })).toMatchObject({
      action: 'update',
      changes: [{ field: 'expired_at', from: null, to: '2027-02-01T00:00:00.000Z' }],
      target: { id: 1, project: null, type: 'main' },
    });
  });

  test('with mode overwrite takes the values of the file, except empty cells', () => {
    const row = change('overwrite', { project: 'Север', file_path: '/x' });
    expect(row?.changes.map(({ field, from, to }) => [field, from, to])).toEqual([
      ['project', 'Север', 'Юг'],
      ['type', 'main', 'transfer'],
      ['expired_at', null, '2027-02-01T00:00:00.000Z'],
    ]);
    expect(row?.target).toMatchObject({ project: 'Юг', file_path: '/x', transfer_type: 'auto' });
  });

  test('with mode overwrite and equal values is no change', () => {
    const row = { project: 'ЮГ ', type: 'transfer', expired_at: '2027-02-01T00:00:00.000Z' } as const;
    expect(change('overwrite', row)).toMatchObject({ action: 'skip', messages: [{ key: 'import.same' }] });
  });

  test('unknown projects are made once, or are an error', () => {
    const rows = utf8('domain;project\na.com;Север\nb.com; север \nc.com;Юг');
    const projects = [{ id: 1, user_id: ME, name: 'юг' }];
    expect(stage(rows, {}, { projects }).new_projects).toEqual(['Север']);
    expect(brief(stage(rows, { create_projects: 'off' }, { projects }))).toEqual([
      [2, 'error', 'a.com', 'import.project_unknown'],
      [3, 'error', 'b.com', 'import.project_unknown'],
      [4, 'create', 'c.com'],
    ]);
  });

  test("one's own project goes before another's; two alike are an error", () => {
    const rows = utf8('domain;project\na.com;Юг');
    const [own, other] = [
      { id: 1, user_id: ME, name: 'Юг' },
      { id: 2, user_id: 8, name: 'Юг' },
    ];
    expect(brief(stage(rows, {}, { projects: [other, own] }))).toEqual([[2, 'create', 'a.com']]);
    expect(brief(stage(rows, {}, { projects: [other, { ...other, id: 3 }] }))).toEqual([
      [2, 'error', 'a.com', 'import.project_many'],
    ]);
  });

  test('that is new takes the defaults for empty cells', () => {
    const defaults = { type: 'transfer', transfer_type: 'manual', project: 'Юг' };
    const staged = stage(utf8('domain;type\na.com;main\nb.com;'), defaults);
    expect(staged.rows.map(({ target }) => [target?.type, target?.transfer_type, target?.project])).toEqual([
      ['main', 'manual', 'Юг'],
      ['transfer', 'manual', 'Юг'],
    ]);
    expect(staged.rows[0]?.target?.file_path).toBe('/var/www/www-root/data/www/a.com');
  });

  test('has all its messages, errors first', () => {
    const { rows } = stage(utf8('domain;expires\na.com;x\nb.com;\nb.com;\nb.com;\nc.com;y'));
    expect(groupMessages(rows).map(({ action, message, count, lines }) => [action, message.key, count, lines])).toEqual(
      [
        ['error', 'import.bad_date', 2, [2, 6]],
        ['skip', 'import.duplicate', 2, [4, 5]],
      ],
    );
  });
});
