import { BaseSequencer, type TestSpecification } from 'vitest/node';

// By their seconds in a run of all, longest first. A machine that has not run them before would begin with the largest files.
const SLOW = [
  'test/e2e/states.test.ts',
  'test/e2e/transfer.test.ts',
  'test/services/transfers/kill.test.ts',
  'test/e2e/screens.test.ts',
  'test/services/purchases/schedules.test.ts',
  'test/cli/csv/header.test.ts',
  'test/e2e/under-attack.test.ts',
  'test/e2e/keyboard.test.ts',
  'test/e2e/people/states.test.ts',
  'test/providers/health.test.ts',
  'test/services/dns/random.test.ts',
  'test/services/dns/bulk-kill.test.ts',
  'test/cli/contract.test.ts',
  'test/e2e/dns-change.test.ts',
  'test/services/purchases/reserve-kill.test.ts',
  'test/cli/markers/markers.test.ts',
  'test/services/positions/tasks-kill.test.ts',
  'test/cli/expiry.test.ts',
  'test/api/bad-input.test.ts',
  'test/cli/cdn.test.ts',
  'test/services/dns/bulk-storage.test.ts',
  'test/db/postgres/copy.test.ts',
  'test/bot/faults.test.ts',
  'test/api/rights/ownership-matrix.test.ts',
  'test/api/events.test.ts',
  'test/api/rights/authorization.test.ts',
  'test/services/dns/delegation-kill.test.ts',
  'test/services/sites/releases/failures.test.ts',
  'test/services/purchases/meanwhile.test.ts',
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
