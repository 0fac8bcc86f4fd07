import { describe, expect, it } from 'vitest';
import { redactValue } from '../../src/lib/redact.ts';
import { TESTERS } from '../../src/services/accounts/testers.ts';
import { fieldsOf, secretFieldOf } from '../../src/shared/accounts/kind.ts';
import { KINDS, type Kind } from '../../src/shared/accounts/kinds.ts';
import { changeOf, inputOf } from '../../src/shared/accounts/shapes.ts';
import type { Table } from '../../src/shared/table.ts';
import { secretColumns } from '../../src/shared/tables.ts';

const columnsOf = ({ table }: { table: Table }): string[] => Object.keys(table.columns);
const messagesOf = (kind: Kind, values: object): string[] =>
  (inputOf(kind).safeParse(values).error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);

describe.each(KINDS.map((kind) => [kind.noun, kind] as const))('the declaration of %s', (_noun, kind) => {
  it('names fields and shown values by columns of its table', () => {
    const columns = columnsOf(kind);
    const shown = kind.screen.shown
      .map(({ column }) => column as string)
      .filter((column) => !['domains', 'groups'].includes(column));
    const forgotten = fieldsOf(kind).flatMap(([, field]) => (field.kind === 'host' ? field.forgets : []));
    const among = fieldsOf(kind).flatMap(([, field]) => (field.kind === 'choice' ? [field.among] : []));
    for (const column of [...fieldsOf(kind).map(([name]) => name), ...shown, ...forgotten, ...among]) {
      expect(columns).toContain(column);
    }
  });

  it('has the one secret of its table as its one secret field', () => {
    const secrets = secretColumns().filter(({ table }) => table === kind.table.name);
    const fields = fieldsOf(kind).filter(([, field]) => field.kind === 'secret');
    expect(fields.map(([name]) => name)).toEqual(secrets.map(({ column }) => column));
  });

  it('has a table with the columns of every account', () => {
    expect(columnsOf(kind)).toEqual(
      expect.arrayContaining(['id', 'user_id', 'name', 'created_at', 'checked_at', 'check_error']),
    );
  });

  it('has a form that refuses each field that is too long or needed and empty', () => {
    const values = Object.fromEntries(fieldsOf(kind).map(([name]) => [name, '']));
    const needed = fieldsOf(kind).filter(([, field]) => field.empty !== undefined);
    expect(messagesOf(kind, { ...values, name: '' })).toEqual([
      'name team.name_empty',
      ...needed.map(([name, field]) => `${name} ${field.empty}`),
    ]);
    for (const [name, { max }] of fieldsOf(kind)) {
      const fault = changeOf(kind).safeParse({ [name]: 'x'.repeat(max + 1) }).error?.issues[0];
      expect([fault?.path, fault?.message]).toEqual([[name], 'error.too_long']);
    }
    expect(changeOf(kind).parse({})).toEqual({});
  });

  it('has a secret that is redacted under its name', () => {
    expect(redactValue({ [secretFieldOf(kind)]: 'hunter2' })).toEqual({ [secretFieldOf(kind)]: '********' });
  });
});

it('a kind has a noun, a path and a screen of its own, and a tester', () => {
  for (const of of [
    KINDS.map(({ noun }) => noun),
    KINDS.map(({ path }) => path),
    KINDS.map(({ screen }) => screen.path),
  ]) {
    expect(new Set<string>(of).size).toBe(KINDS.length);
  }
  expect(Object.keys(TESTERS).toSorted()).toEqual(KINDS.map(({ noun }) => noun).toSorted());
});
