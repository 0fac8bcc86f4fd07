import { describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../../db/index.ts';
import { deleteDomain, updateDomain } from '../../../../src/services/portfolio/domains.ts';
import { listImports, undoImport } from '../../../../src/services/portfolio/import-history.ts';
import { createProject } from '../../../../src/services/portfolio/projects.ts';
import { add, addRegistrar, admin, anna, boris, domain, idOf, rowsOf, run, useImports } from './world.ts';

useImports();

describe('an undo', () => {
  test('restores changed rows exactly', async () => {
    const project = await createProject(anna, { name: 'Север' });
    await add(anna, 'a.com', { project_id: project.id, expired_at: '2026-01-01', file_path: '/srv/«a»' });
    await add(anna, 'b.com');
    const before = await rowsOf('domains');
    const csv = 'domain,project,type,mode,expires,path\na.com,Юг,transfer,manual,2027-01-01,/srv/x\nb.com,Север,,,,\n';
    const result = await run(anna, csv, { mode: 'overwrite' });
    expect(result.counts.update).toBe(2);
    expect(await rowsOf('domains')).not.toEqual(before);
    expect(await undoImport(anna, idOf(result))).toEqual({ deleted: 0, restored: 2, kept: 0 });
    // The folder is claimed again, as others may have claimed it meanwhile.
    const restored = (await rowsOf('domains')).map((row) => Object.assign(row, { folder_claim: null }));
    expect(restored).toEqual(before);
    expect(await select('SELECT name FROM projects WHERE deleted_at IS NULL')).toEqual([{ name: 'Север' }]);
  });

  test('gives back the registrar, or none, and leaves it where an older version stored no registrar', async () => {
    const [one, two] = [await addRegistrar('One'), await addRegistrar('Two')];
    await add(anna, 'a.com', { registrars_id: one });
    await add(anna, 'b.com');
    const csv = 'domain,registrar\na.com,Two\nb.com,Two\n';
    const registrarsNow = async () => (await rowsOf('domains')).map(({ registrars_id }) => registrars_id);
    const first = await run(anna, csv, { mode: 'overwrite' });
    expect(await registrarsNow()).toEqual([two, two]);
    await undoImport(anna, idOf(first));
    expect(await registrarsNow()).toEqual([one, null]);
    const second = await run(anna, csv, { mode: 'overwrite' });
    const before = (await select<{ before: string }>('SELECT before FROM imports ORDER BY id DESC LIMIT 1'))[0]?.before;
    const old = (before ?? '').replaceAll(/"registrars_id":\d+,/g, '');
    expect(old).not.toContain('registrars_id');
    await transaction(() => execute('UPDATE imports SET before = $old WHERE id = $id', { old, id: idOf(second) }));
    await undoImport(anna, idOf(second));
    expect(await registrarsNow()).toEqual([two, two]);
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
