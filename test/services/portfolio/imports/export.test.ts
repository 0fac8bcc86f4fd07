import { describe, expect, test } from 'vitest';
import { executeUnaudited, transaction } from '../../../../db/index.ts';
import { exportDomains } from '../../../../src/services/portfolio/domain-export.ts';
import { createProject } from '../../../../src/services/portfolio/projects.ts';
import { dump } from '../../../support/database.ts';
import { add, addRegistrar, anna, boris, run, useImports } from './world.ts';

useImports();

describe('an export', () => {
  test.each(['comma', 'semicolon'] as const)('with a %s comes back as no change', async (delimiter) => {
    const project = await createProject(anna, { name: '=Север; "1"' });
    await add(anna, 'пример.рф', { project_id: project.id, expired_at: '2027-01-01', type: 'transfer' });
    // An older row: no new one gets such a name.
    const old = await add(anna, 'a.com', {
      transfer_type: 'manual',
      expired_at: '2027-01-01T10:30:00Z',
      file_path: '/srv/=x',
    });
    const name = "UPDATE domains SET domain_name = '-a.com', unicode_name = '-a.com' WHERE id = $id";
    await transaction(() => executeUnaudited('check', name, { id: old.id }));
    await add(anna, 'at.com', { registrars_id: await addRegistrar('Main') });
    const before = await dump();
    const csv = await exportDomains(anna, {}, { delimiter, bom: 'on' });
    const result = await run(anna, csv, { mode: 'overwrite' });
    expect(result.counts).toEqual({ create: 0, update: 0, skip: 3, error: 0 });
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
