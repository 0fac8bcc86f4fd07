// The command that comes after a check of the portfolio, by what it has found.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nextAfter } from '../../../src/cli/actions/check/next.ts';
import type { Actor } from '../../../src/services/access/scope.ts';
import { createDomain, deleteDomain } from '../../../src/services/portfolio/domains.ts';
import { createProject } from '../../../src/services/portfolio/projects.ts';
import { DomainInput } from '../../../src/shared/portfolio/domains.ts';
import { addUser, startDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let ann: Actor;

beforeEach(async () => {
  database = await startDatabase();
  ann = await addUser('ann');
});
afterEach(() => database.close());

const add = (domain_name: string, project_id: number): Promise<{ id: number }> =>
  createDomain(ann, DomainInput.parse({ domain_name, project_id, type: 'main' }));
const blocked = (domain: string) => ({ domain, status: 'blocked' });

test('leads to the first blocked main that is still there, and to none where all were removed while the check ran', async () => {
  const { id: project } = await createProject(ann, { name: 'One' });
  const { id } = await add('one.com', project);
  await add('two.com', project);
  await deleteDomain(ann, id);
  expect(await nextAfter(ann, [blocked('one.com'), blocked('two.com')])).toBe('transfer plan two.com');
  expect(await nextAfter(ann, [blocked('one.com')])).toBeUndefined();
});
