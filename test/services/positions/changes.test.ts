// Changes while positions are read: domains, keywords, projects, settings, a second operation.
import { expect, test } from 'vitest';
import { executeUnaudited, transaction } from '../../../db/index.ts';
import { registerFlows, runOperation } from '../../../src/operations/engine.ts';
import { deleteTeamRow } from '../../../src/services/accounts/team.ts';
import { indexFlow, startIndexCheck } from '../../../src/services/checks/check-index.ts';
import { createDomain } from '../../../src/services/portfolio/domains.ts';
import { deleteProject } from '../../../src/services/portfolio/projects.ts';
import { domainPositions, projectPositions } from '../../../src/services/positions/grids.ts';
import { deleteKeywords } from '../../../src/services/positions/keywords.ts';
import { DomainInput } from '../../../src/shared/portfolio/domains.ts';
import {
  addAccount,
  ann,
  changeSettings,
  fake,
  fetchPositions,
  makeProject,
  one,
  paid,
  placeOf,
  usePositions,
  web,
} from './world.ts';

usePositions();

/** Does something once, while the first search is under way. */
function meanwhile(work: () => Promise<unknown>): void {
  let done: Promise<unknown> | undefined;
  fake.hold = async () => void (await (done ??= work()));
}

/** Returns a keyword for which `near` stands on the first page and `far` on the third or a later one. */
const wordWith = (near: string, far: string): string =>
  Array.from({ length: 3_000 }, (_, index) => `w${index}`).find(
    (word) => placeOf(word, far) > 20 && placeOf(word, near) > 0 && placeOf(word, near) <= 10,
  ) ?? '';

test('a main that takes over while a keyword is read is looked for to the depth', async () => {
  await addAccount();
  const many = Array.from({ length: 3_000 }, (_, index) => `w${index}`);
  const project = await makeProject(many.slice(0, 1), ['main.ru', 'other.ru']);
  for (const word of many) web.topics[word] = 'shop';
  const word = wordWith('main.ru', 'other.ru');
  const { id } = await makeProject([word], []);
  await transaction(() =>
    executeUnaudited('demo', `UPDATE domains SET project_id = ${id} WHERE project_id = ${project.id}`),
  );
  meanwhile(() =>
    transaction(() =>
      executeUnaudited('demo', `UPDATE domains SET type = CASE type WHEN 'main' THEN 'transfer' ELSE 'main' END`),
    ),
  );
  await fetchPositions(id);
  const { values } = await projectPositions(ann, id, 'yandex');
  expect(values).toEqual([[placeOf(word, 'other.ru')]]);
});

test('a domain that is added while keywords are read is looked for in those that are not stored yet', async () => {
  await addAccount();
  const project = await makeProject(['word'], ['main.ru']);
  let added = 0;
  meanwhile(async () => {
    const input = { domain_name: 'new.ru', project_id: project.id, type: 'transfer' };
    added = (await createDomain(ann, DomainInput.parse(input))).id;
  });
  await fetchPositions(project.id);
  expect((await domainPositions(ann, added, 'yandex')).values).toEqual([[0]]);
});

test('a keyword that is deleted is not asked for any more', async () => {
  await addAccount();
  const words = Array.from({ length: 80 }, (_, index) => `word ${index}`);
  const project = await makeProject(words, ['main.ru']);
  await changeSettings(project.id, { depth: 10 });
  meanwhile(() => deleteKeywords(ann, project.id, words.slice(40)));
  expect(await fetchPositions(project.id)).toMatchObject({ state: 'succeeded', failed: 0 });
  expect(paid()).toHaveLength(40);
});

test('a project that is deleted costs no more than what is under way', async () => {
  await addAccount();
  const words = Array.from({ length: 80 }, (_, index) => `word ${index}`);
  const project = await makeProject(words, ['main.ru']);
  await changeSettings(project.id, { depth: 10 });
  meanwhile(() => deleteProject(ann, project.id));
  await fetchPositions(project.id);
  expect(paid().length).toBeLessThanOrEqual(30);
});

test('a cap that is lowered holds for what is not under way', async () => {
  await addAccount();
  const words = Array.from({ length: 80 }, (_, index) => `word ${index}`);
  const project = await makeProject(words, ['main.ru']);
  await changeSettings(project.id, { depth: 10 });
  meanwhile(() => changeSettings(project.id, { depth: 10, daily_cap: 1 }));
  expect(await fetchPositions(project.id)).toMatchObject({ state: 'partial' });
  expect(paid().length).toBeLessThanOrEqual(30);
});

test('the reading of a keyword beside that of its project pays no page twice', async () => {
  await addAccount();
  const project = await makeProject(['one', 'two', 'three'], ['main.ru']);
  const { id = 0 } = (await one<{ id: number }>(`SELECT id FROM keywords WHERE value = 'two'`)) ?? {};
  const ended = await Promise.all([fetchPositions(project.id), fetchPositions(project.id, 'yandex', id)]);
  expect(ended.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
  expect(new Set(paid()).size).toBe(paid().length);
});

/** Tries to delete an account while the first search is under way, and returns the refusal. */
function deletedMeanwhile(id: number): () => unknown {
  let refusal: unknown;
  meanwhile(async () => {
    refusal = await deleteTeamRow(ann, 'xmlriver_accounts', id).catch((error: unknown) => error);
  });
  return () => refusal;
}

test('an account is not deleted while positions are read by it, and is afterwards', async () => {
  const { id } = await addAccount();
  const project = await makeProject(['one', 'two'], ['main.ru']);
  const refusal = deletedMeanwhile(id);
  const { id: operation, state } = await fetchPositions(project.id);
  expect([refusal(), state]).toMatchObject([{ code: 'in_use', params: { uses: `#${operation}` } }, 'succeeded']);
  expect(await deleteTeamRow(ann, 'xmlriver_accounts', id)).toMatchObject({ id });
});

test('an account is not deleted while indexation is checked by it', async () => {
  const { id } = await addAccount();
  await makeProject([], ['main.ru']);
  registerFlows([indexFlow]);
  const { id: operation } = await startIndexCheck(ann, {}, true);
  const refusal = deletedMeanwhile(id);
  await runOperation(operation);
  expect(refusal()).toMatchObject({ code: 'in_use', params: { uses: `#${operation}` } });
});
