import { BaseSequencer, type TestSpecification } from 'vitest/node';

// By their seconds in a run of all, longest first. A machine that has not run them before would begin with the largest files.
const SLOW = [
  'test/e2e/states.test.ts',
  'test/services/dns/random.test.ts',
  'test/services/transfers/kill.test.ts',
  'test/services/dns/bulk-kill.test.ts',
  'test/e2e/screens.test.ts',
  'test/db/postgres/crash.test.ts',
  'test/services/dns/bulk-random.test.ts',
  'test/cli/markers.test.ts',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = SLOW.findIndex((path) => moduleId.endsWith(path));
  return rank < 0 ? SLOW.length : rank;
};

/** Begins with the files that take longest, so that none of them runs alone at the end. Those of a project stay together: they share processes. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    const placeOf = (file: TestSpecification): number => projects.indexOf(file.project.name);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other) || rankOf(one) - rankOf(other));
  }
}
