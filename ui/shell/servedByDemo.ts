import { DEMO_MARK } from '../../src/shared/demo.ts';

const isMark = ({ name }: { name: string }): boolean => name === DEMO_MARK;

/**
 * Returns whether the page itself tells that it is a demo's, before any answer: what stands only in a demo is drawn with the rest,
 * and moves nothing. False also where a browser doesn't read that header (http but to the own machine): the answer tells it then.
 */
export const servedByDemo = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => (entry as Partial<PerformanceNavigationTiming>).serverTiming?.some(isMark));
