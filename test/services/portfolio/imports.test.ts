import { writeFileSync } from 'node:fs';
import type { DomainRow } from '../../../src/shared/portfolio/tables.ts';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { enqueue } from '../../../src/operations/queue.ts';
import { exportDomains } from '../../../src/services/portfolio/domain-export.ts';
import { createDomain, deleteDomain, updateDomain } from '../../../src/services/portfolio/domains.ts';
import { listImports, undoImport } from '../../../src/services/portfolio/import-history.ts';
import { commitImport, previewImport } from '../../../src/services/portfolio/imports.ts';
import { createProject } from '../../../src/services/portfolio/projects.ts';
import { SYSTEM, type Actor } from '../../../src/services/access/scope.ts';
import { DomainInput } from '../../../src/shared/portfolio/domains.ts';
import { ImportOptions, type ImportResult } from '../../../src/shared/portfolio/imports.ts';
import { addUser, dump, startDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
let admin: Actor & { id: number };
let anna: Actor & { id: number };
let boris: Actor & { id: number };

beforeEach(async () => {
  database = await startDatabase();
  admin = await addUser('admin', 'admin');
  anna = await addUser('anna');
  boris = await addUser('boris');
});
afterEach(() => database.close());

const options = (change: object = {}) => ImportOptions.parse(change);
const text = (content: string) => ({ name: 'domains.csv', bytes: Buffer.from(content) });
const run = (actor: Actor, content: string, change: object = {}): Promise<ImportResult> =>
  commitImport(actor, text(content), options(change));
const idOf = ({ import: view }: ImportResult): number => view?.id ?? 0;

const rowsOf = (table: string): Promise<DomainRow[]> => select<DomainRow>(`SELECT * FROM ${table} ORDER BY id`);
const domain = async (name: string): Promise<DomainRow | undefined> =>
  (await select<DomainRow>('SELECT * FROM domains WHERE domain_name = $name AND deleted_at IS NULL', { name }))[0];
const add = (actor: Actor, domain_name: string, change: object = {}) =>
  createDomain(actor, DomainInput.parse({ domain_name, ...change }));

describe('preview', () => {
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

describe('import', () => {
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

describe('undo', () => {
  test('restores changed rows exactly', async () => {
    const project = await createProject(anna, { name: 'Север' });
    await add(anna, 'a.com', { project_id: project.id, expired_at: '2026-01-01', file_path: '/srv/«a»' });
    await add(anna, 'b.com');
    const before = await rowsOf('domains');
    const csv = 'domain,project,type,mode,expires,path\na.com,Юг,transfer,manual,2027-01-01,/x\nb.com,Север,,,,\n';
    const result = await run(anna, csv, { mode: 'overwrite' });
    expect(result.counts.update).toBe(2);
    expect(await rowsOf('domains')).not.toEqual(before);
    expect(await undoImport(anna, idOf(result))).toEqual({ deleted: 0, restored: 2, kept: 0 });
    // The folder is claimed again, as others may have claimed it meanwhile.
    const restored = (await rowsOf('domains')).map((row) => Object.assign(row, { folder_claim: null }));
    expect(restored).toEqual(before);
    expect(await select('SELECT name FROM projects WHERE deleted_at IS NULL')).toEqual([{ name: 'Север' }]);
  });

  test('keeps rows that were changed since, and counts them', async () => {
    await add(anna, 'old.com');
    const result = await run(anna, 'domain,expires\nold.com,2027-01-01\nnew.com,\ngone.com,\nfree.com,\n', {
      mode: 'overwrite',
    });
    for (const name of ['old.com', 'new.com']) {
      await updateDomain(anna, (await domain(name))?.id ?? 0, { transfer_type: 'manual' }, ['transfer_type']);
    }
    await deleteDomain(anna, (await domain('gone.com'))?.id ?? 0);
    expect(await undoImport(anna, idOf(result))).toEqual({ deleted: 1, restored: 0, kept: 2 });
    expect(await domain('old.com')).toMatchObject({ expired_at: '2027-01-01T00:00:00.000Z', transfer_type: 'manual' });
    expect(await domain('new.com')).toBeDefined();
    expect(await domain('free.com')).toBeUndefined();
  });

  test('of imports of the same rows works from the newest to the oldest', async () => {
    await add(anna, 'a.com');
    const before = await rowsOf('domains');
    const first = await run(anna, 'domain,expires\na.com,2027-01-01\n', { mode: 'overwrite' });
    const second = await run(anna, 'domain,expires\na.com,2028-01-01\n', { mode: 'overwrite' });
    await undoImport(anna, idOf(second));
    await undoImport(anna, idOf(first));
    expect(await rowsOf('domains')).toEqual(before);
  });

  test('works once', async () => {
    const id = idOf(await run(anna, 'a.com'));
    await undoImport(anna, id);
    await expect(undoImport(anna, id)).rejects.toMatchObject({ kind: 'conflict', key: 'import.undone' });
    expect(await listImports(anna)).toMatchObject({ data: [{ id, undo_until: null }] });
  });

  test('works for 30 days', async () => {
    const id = idOf(await run(anna, 'a.com'));
    const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
    const age = (at: string) => transaction(() => execute('UPDATE imports SET created_at = $at', { at }));
    await age(days(31));
    await expect(undoImport(anna, id)).rejects.toMatchObject({ kind: 'conflict', key: 'import.undo_late' });
    await age(days(29));
    await expect(undoImport(anna, id)).resolves.toMatchObject({ kept: 1 });
  });

  test('is allowed to the importing user and to administrators', async () => {
    const id = idOf(await run(anna, 'a.com'));
    await expect(undoImport(boris, id)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await listImports(boris)).toEqual({ data: [] });
    expect(await listImports(anna, { limit: 10 })).toMatchObject({ total: 1 });
    await expect(undoImport(admin, id)).resolves.toEqual({ deleted: 1, restored: 0, kept: 0 });
  });
});

describe('export', () => {
  test.each(['comma', 'semicolon'] as const)('with a %s comes back as no change', async (delimiter) => {
    const project = await createProject(anna, { name: '=Север; "1"' });
    await add(anna, 'пример.рф', { project_id: project.id, expired_at: '2027-01-01', type: 'transfer' });
    await add(anna, '-a.com', { transfer_type: 'manual', expired_at: '2027-01-01T10:30:00Z', file_path: '/srv/=x' });
    const before = await dump();
    const csv = await exportDomains(anna, {}, { delimiter, bom: 'on' });
    const result = await run(anna, csv, { mode: 'overwrite' });
    expect(result.counts).toEqual({ create: 0, update: 0, skip: 2, error: 0 });
    expect(await dump()).toEqual(before);
  });

  test("holds only the caller's rows, and no formulas", async () => {
    const project = await createProject(anna, { name: '=cmd()' });
    await add(anna, 'a.com', { project_id: project.id });
    await add(anna, 'c.com', { type: 'transfer' });
    await add(boris, 'b.com');
    const csv = await exportDomains(anna);
    const [header, first, second, ...rest] = csv.split('\r\n');
    expect(header).toMatch(/^domain_name,unicode_name,project,type,transfer_type,expired_at,file_path,/);
    expect(first).toMatch(/^a\.com,a\.com,'=cmd\(\),main,auto,,/);
    expect(second).toMatch(/^c\.com,/);
    expect(rest).toEqual(['']);
    expect(await exportDomains(anna, { type: 'transfer' })).not.toMatch(/a\.com/);
    expect(await exportDomains(anna, { search: 'c.c' })).not.toMatch(/a\.com/);
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
