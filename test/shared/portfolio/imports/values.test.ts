import { describe, expect, test } from 'vitest';
import type { Existing } from '../../../../src/shared/portfolio/import-existing.ts';
import { readDate } from '../../../../src/shared/portfolio/import-rows.ts';
import { brief, known, stage, utf8 } from './staging.ts';

describe('values', () => {
  test.each([
    ['Основной', 'main'],
    ['main', 'main'],
    ['РЕЗЕРВНЫЙ', 'transfer'],
    ['reserve', 'transfer'],
    ['transfer', 'transfer'],
    ['', 'main'],
  ])('the type %j is read as %s', (word, type) => {
    expect(stage(utf8(`domain;type\na.com;${word}`)).rows[0]?.target?.type).toBe(type);
  });

  test.each([
    ['auto', 'auto'],
    ['Авто', 'auto'],
    ['автоматически', 'auto'],
    ['manual', 'manual'],
    ['вручную', 'manual'],
    ['', 'auto'],
  ])('the mode %j is read as %s', (word, mode) => {
    expect(stage(utf8(`domain;режим\na.com;${word}`)).rows[0]?.target?.transfer_type).toBe(mode);
  });

  test.each([
    ['05.11.2026', '2026-11-05T00:00:00.000Z'],
    ['5.1.2026', '2026-01-05T00:00:00.000Z'],
    ['2026-11-05', '2026-11-05T00:00:00.000Z'],
    ['2026.11.05', '2026-11-05T00:00:00.000Z'],
    ['2026/11/05', '2026-11-05T00:00:00.000Z'],
    ['2026-11-05T21:00:00Z', '2026-11-05T21:00:00.000Z'],
    ['2026-11-05T21:00:00.000Z', '2026-11-05T21:00:00.000Z'],
    ['2026-11-06T00:00:00+03:00', '2026-11-05T21:00:00.000Z'],
    ['2026-11-05 21:00', '2026-11-05T21:00:00.000Z'],
    ['05.11.2026 21:00:30', '2026-11-05T21:00:30.000Z'],
    ['03/04/25', null],
    ['03/04/2025', null],
    ['05.11.26', null],
    ['31.02.2026', null],
    ['2026-02-30T10:00:00Z', null],
    ['2026-13-01', null],
    ['05.11.2026 25:00', null],
    ['0005-11-05', null],
    ['завтра', null],
    ['2026-11-05 21:00 22:00', null],
  ])('the date %j is read as %s', (text, iso) => {
    expect(readDate(text)).toBe(iso);
  });

  test('that are invalid are errors that show the value', () => {
    const [row] = stage(utf8('domain;type;mode;expires;path\na.com;x;y;03/04/25;../etc')).rows;
    expect(row?.action).toBe('error');
    expect(row?.messages).toEqual([
      { field: 'type', key: 'import.bad_type', params: { value: 'x' } },
      { field: 'transfer_type', key: 'import.bad_mode', params: { value: 'y' } },
      { field: 'expired_at', key: 'import.bad_date', params: { value: '03/04/25' } },
      { field: 'file_path', key: 'domain.path_invalid', params: { value: '../etc' } },
    ]);
  });

  test.each([
    ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['https://A.com/', 'a.com'],
    ['  a.com  ', 'a.com'],
  ])('the name %j is read as %s', (typed, host) => {
    expect(brief(stage(utf8(`domain;type\n${typed};main`)))).toEqual([[2, 'create', host]]);
  });

  test.each(['нет точки', 'a.com/page', 'a_b.com', '10.0.0.1', 'a.com b.com', `${'x'.repeat(2000)}.com`])(
    'the name %j is an error',
    (typed) => {
      expect(brief(stage(utf8(`domain;type\n"${typed}";main`)))).toEqual([[2, 'error', null, 'import.bad_host']]);
    },
  );

  test('a name that no new row gets is read without the apostrophe of an export, for the older row that has it', () => {
    const staged = (domains: Existing['domains']) =>
      brief(stage(utf8("domain;type\n'-a.com;transfer"), { mode: 'overwrite' }, { domains }));
    expect(staged(new Map())).toEqual([[2, 'error', '-a.com', 'name.hyphen']]);
    expect(staged(new Map([['-a.com', known()]]))).toEqual([[2, 'update', '-a.com']]);
  });

  test('an empty name is an error of its own', () => {
    expect(brief(stage(utf8('domain;type\n;main')))).toEqual([[2, 'error', null, 'name.empty']]);
  });
});

describe('the registrar of a row', () => {
  const registrars = [
    { id: 3, name: 'Main' },
    { id: 4, name: 'Twin' },
    { id: 5, name: 'twin' },
    { id: 6, name: '4' },
  ];
  const stageRow = (text: string, header = 'registrars_id') =>
    stage(utf8(`domain;${header}\na.com;${text}`), {}, { registrars }).rows[0];

  test.each([
    ['3', 3],
    ['main', 3],
    [' MAIN ', 3],
    ['4', 4],
    ['', null],
  ])('%j is registrar %s', (text, id) => {
    expect(stageRow(text)?.target?.registrars_id).toBe(id);
  });

  test.each([
    ['twin', 'import.registrar_many'],
    ['99', 'import.registrar_unknown'],
    ['Nobody', 'import.registrar_unknown'],
  ])('%j is an error that shows it', (text, key) => {
    expect(stageRow(text)).toMatchObject({
      action: 'error',
      messages: [{ field: 'registrars_id', key, params: { value: text } }],
    });
  });

  test.each(['Регистратор', 'registrar', 'Registrar ID'])('is read from the column %j', (header) => {
    expect(stageRow('Main', header)?.target?.registrars_id).toBe(3);
  });

  test('fills and overwrites as other fields do', () => {
    const a = utf8('domain;registrar\na.com;Main');
    const at = (registrars_id: number | null) => ({
      registrars,
      domains: new Map([['a.com', known({ registrars_id })]]),
    });
    expect(brief(stage(a, { mode: 'fill' }, at(null)))).toEqual([[2, 'update', 'a.com']]);
    expect(brief(stage(a, { mode: 'fill' }, at(4)))).toEqual([[2, 'skip', 'a.com', 'import.same']]);
    expect(stage(a, { mode: 'overwrite' }, at(4)).rows[0]?.target?.registrars_id).toBe(3);
    expect(brief(stage(a, { mode: 'overwrite' }, at(3)))).toEqual([[2, 'skip', 'a.com', 'import.same']]);
  });
});
