import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../../db/index.ts';
import { enqueue } from '../../../../src/operations/queue.ts';
import { deleteDomain } from '../../../../src/services/portfolio/domains.ts';
import { listImports, undoImport } from '../../../../src/services/portfolio/import-history.ts';
import { commitImport, previewImport } from '../../../../src/services/portfolio/imports.ts';
import { createProject } from '../../../../src/services/portfolio/projects.ts';
import { SYSTEM } from '../../../../src/services/access/scope.ts';
import { dump } from '../../../support/database.ts';
import {
  add,
  addRegistrar,
  admin,
  anna,
  boris,
  database,
  domain,
  idOf,
  options,
  rowsOf,
  run,
  text,
  useImports,
} from './world.ts';

useImports();

describe('a preview', () => {
  test('says what the import will do, and writes nothing', async () => {
    await add(anna, 'known.com');
    await add(boris, 'taken.com');
    const before = await dump();
    const file = text(
      'Домен;Проект;Срок\nnew.com;Север;01.02.2027\nknown.com;;\ntaken.com;;\nbad;;\nx.com;;03/04/25\n',
    );
    const preview = await previewImport(anna, file, options());
    expect(await dump()).toEqual(before);
    expect(preview).toMatchObject({
      encoding: 'utf-8',
      delimiter: ';',
      header: true,
      mapping: ['domain_name', 'project', 'expired_at'],
      counts: { create: 1, update: 0, skip: 1, error: 3 },
      new_projects: ['Север'],
    });
    expect(preview.rows.map(({ line, action, messages }) => [line, action, messages[0]?.key])).toEqual([
      [2, 'create', undefined],
      [3, 'skip', 'import.exists'],
      [4, 'error', 'import.taken'],
      [5, 'error', 'import.bad_host'],
      [6, 'error', 'import.bad_date'],
    ]);
    const { counts } = await commitImport(anna, file, options());
    expect(counts).toEqual(preview.counts);
  });

  test('shows the first rows, and every error behind them', async () => {
    const names = Array.from({ length: 300 }, (_, i) => (i === 250 ? 'bad' : `d-${i}.com`));
    const { rows } = await previewImport(anna, text(names.join('\n')), options());
    expect(rows).toHaveLength(201);
    expect(rows.at(-1)).toMatchObject({ line: 251, action: 'error' });
  });

  test('refuses an empty file and one that is too large', async () => {
    await expect(previewImport(anna, text('\n;;\n'), options())).rejects.toMatchObject({ key: 'import.empty' });
    const path = join(database.folder, 'large.csv');
    writeFileSync(path, Buffer.alloc(20 * 1024 * 1024 + 1, 'a'));
    await expect(previewImport(anna, { name: 'large.csv', path }, options())).rejects.toMatchObject({
      kind: 'too_large',
    });
  });
});

describe('an import', () => {
  test('writes all columns of new rows', async () => {
    const csv =
      'domain,project,type,mode,expires,path\nпример.рф,Север,резервный,вручную,2027-02-01,/srv/x\na.com,,,,,\n';
    const { import: view, counts } = await run(anna, csv);
    expect(counts).toEqual({ create: 2, update: 0, skip: 0, error: 0 });
    expect(view).toMatchObject({ source: 'domains.csv', user_login: 'anna', created: 2, updated: 0, undone_at: null });
    const [project] = await select<{ id: number }>('SELECT id FROM projects WHERE user_id = $id', { id: anna.id });
    expect(await domain('xn--e1afmkfd.xn--p1ai')).toMatchObject({
      user_id: anna.id,
      project_id: project?.id,
      unicode_name: 'пример.рф',
      type: 'transfer',
      transfer_type: 'manual',
      transfer_dns: 'off',
      expired_at: '2027-02-01T00:00:00.000Z',
      file_path: '/srv/x',
      status: 'available',
      import_id: view?.id,
    });
    expect(await domain('a.com')).toMatchObject({
      user_id: anna.id,
      project_id: null,
      type: 'main',
      transfer_type: 'auto',
      expired_at: null,
      file_path: '/var/www/www-root/data/www/a.com',
    });
  });

  test('reads a file in windows-1251 with semicolons', async () => {
    const path = join(database.folder, 'upload');
    // «Домен;Проект», «пример.рф;Север» as saved by a Russian Excel.
    writeFileSync(path, Buffer.from('c4eeece5ed3bcff0eee5eaf20d0aeff0e8ece5f02ef0f43bd1e5e2e5f00d0a', 'hex'));
    const { counts } = await commitImport(anna, { name: 'домены.csv', path }, options());
    expect(counts.create).toBe(1);
    expect(await select('SELECT name FROM projects')).toEqual([{ name: 'Север' }]);
  });

  test('writes 20,000 rows and undoes them', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `domain-${i}.example;Проект ${i % 50};2027-01-01`);
    const result = await run(anna, ['домен;проект;срок', ...lines].join('\n'));
    expect(result.counts).toEqual({ create: 20_000, update: 0, skip: 0, error: 0 });
    const count = () => select('SELECT COUNT(*) AS n, COUNT(deleted_at) AS deleted FROM domains');
    expect(await count()).toEqual([{ n: 20_000, deleted: 0 }]);
    expect(await undoImport(anna, idOf(result))).toEqual({ deleted: 20_000, restored: 0, kept: 0 });
    expect(await count()).toEqual([{ n: 20_000, deleted: 20_000 }]);
    expect(await select('SELECT 1 FROM projects WHERE deleted_at IS NULL')).toEqual([]);
  });

  test('finds a project and a registrar by a name whose letters are composed otherwise', async () => {
    const registrar_id = await addRegistrar('Йота');
    await run(anna, 'Домен;Проект\na.com;Тёплый край');
    const decomposed = 'Домен;Проект;Регистратор\nb.com;Тёплый край;Йота'.normalize('NFD');
    const { counts, errors } = await run(anna, decomposed);
    expect([counts.create, errors]).toEqual([1, []]);
    expect((await rowsOf('projects')).length).toBe(1);
    const [first, second] = [await domain('a.com'), await domain('b.com')];
    expect(second).toMatchObject({ project_id: first?.project_id, registrars_id: registrar_id });
  });

  test('of the same file again is a no-op that leaves no import behind', async () => {
    const csv = 'domain,project,expires\na.com,Север,2027-01-01\n';
    await run(anna, csv);
    const before = await dump();
    const again = [await run(anna, csv), await run(anna, csv, { mode: 'overwrite' })];
    expect(again.map((result) => [result.import, result.counts.skip])).toEqual([
      [null, 1],
      [null, 1],
    ]);
    expect(await dump()).toEqual(before);
  });

  test('changes known rows according to its mode, and moves them to the owner of their project', async () => {
    const project = await createProject(boris, { name: 'Юг' });
    await add(anna, 'a.com', { expired_at: '2026-01-01' });
    const csv = 'domain,project,type,expires\na.com,Юг,transfer,2027-01-01\n';
    await run(admin, csv, { mode: 'fill' });
    expect(await domain('a.com')).toMatchObject({
      project_id: project.id,
      user_id: boris.id,
      type: 'main',
      expired_at: '2026-01-01T00:00:00.000Z',
    });
    await run(admin, csv, { mode: 'overwrite' });
    expect(await domain('a.com')).toMatchObject({ type: 'transfer', expired_at: '2027-01-01T00:00:00.000Z' });
  });

  test("leaves another user's rows and projects alone", async () => {
    await createProject(boris, { name: 'Юг' });
    await add(boris, 'b.com');
    const before = await domain('b.com');
    const result = await run(anna, 'domain,project\nb.com,Юг\na.com,Юг\n', { mode: 'overwrite' });
    expect(result.errors.map(({ line, messages }) => [line, messages[0]?.key])).toEqual([[2, 'import.taken']]);
    expect(JSON.stringify(result)).not.toMatch(/boris/);
    expect(await domain('b.com')).toEqual(before);
    expect(await select('SELECT name, user_id FROM projects ORDER BY id')).toEqual([
      { name: 'Юг', user_id: boris.id },
      { name: 'Юг', user_id: anna.id },
    ]);
  });

  test('creates a deleted name again', async () => {
    const { id } = await add(anna, 'a.com');
    await deleteDomain(anna, id);
    expect((await run(anna, 'a.com')).counts.create).toBe(1);
  });

  test('from the command line belongs to the first administrator', async () => {
    await run(SYSTEM, 'domain,project\na.com,Север\n');
    expect(await domain('a.com')).toMatchObject({ user_id: admin.id });
    expect(await listImports(SYSTEM)).toMatchObject({ data: [{ user_login: 'admin' }] });
  });

  test('strips control characters from the file name and shortens it', async () => {
    const { import: view } = await commitImport(
      anna,
      { name: `\u001B[31m${'x'.repeat(300)}`, bytes: Buffer.from('a.com') },
      options(),
    );
    expect(view?.source).toBe(`[31m${'x'.repeat(196)}`);
  });
});

describe('a domain that is being moved', () => {
  const lock = (name: string) =>
    enqueue({
      kind: 'transfer',
      subject: name,
      user_id: null,
      input: {},
      message: { key: 'check.started' },
      locks: [{ kind: 'domain', name }],
    });

  test.each(['Домен;Проект\na.com;Север', 'Домен;Тип\na.com;transfer', 'Домен;Путь\na.com;/srv/other/a'])(
    'is not changed by an import: %s',
    async (file) => {
      await add(anna, 'a.com');
      await lock('a.com');
      const before = await dump();
      await expect(run(anna, `${file}\n`, { mode: 'overwrite' })).rejects.toMatchObject({ code: 'domain_locked' });
      expect(await dump()).toEqual(before);
      // Columns that the move does not use may be changed.
      const { counts } = await run(anna, 'Домен;Срок\na.com;01.02.2027\n', { mode: 'overwrite' });
      expect(counts).toMatchObject({ update: 1 });
    },
  );

  test('is neither deleted nor changed by the undo of its import', async () => {
    const id = idOf(await run(anna, 'Домен\na.com\n'));
    await lock('a.com');
    await expect(undoImport(anna, id)).rejects.toMatchObject({ code: 'domain_locked' });
    expect(await domain('a.com')).toBeDefined();
    await transaction(() => execute(`UPDATE operations SET state = 'succeeded'`));
    expect(await undoImport(anna, id)).toMatchObject({ deleted: 1 });
  });
});

test('a domain whose site is being deployed gets no other folder by an import', async () => {
  await add(anna, 'a.com');
  const work = {
    kind: 'deploy',
    subject: 'a.com',
    user_id: null,
    input: {},
    message: { key: 'check.started' },
  } as const;
  await enqueue({ ...work, locks: [{ kind: 'site', name: 'a.com' }] });
  const overwrite = (file: string) => run(anna, file, { mode: 'overwrite' });
  await expect(overwrite('Домен;Путь\na.com;/srv/other/a\n')).rejects.toMatchObject({ kind: 'busy' });
  expect(await overwrite('Домен;Срок\na.com;01.02.2027\n')).toMatchObject({ counts: { update: 1 } });
});
