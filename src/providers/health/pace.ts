// A start makes a TLS socket, which takes up to a millisecond: whoever asks this process meanwhile waits for all starts of a round.
const STARTS = 16;

/**
 * Returns a function that resolves when the next host may start: few in each round of the event loop, in the order of the calls, so that hundreds
 * of hosts that fail at once do not keep the process from everything else.
 */
export function startPace(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let left = STARTS;
  const nextRound = (): void => {
    left = STARTS;
    const next = waiting.splice(0, STARTS);
    for (const resolve of next) take(resolve);
  };
  const take = (resolve: () => void): void => {
    if (left === STARTS) setImmediate(nextRound);
    left -= 1;
    resolve();
  };
  return () =>
    new Promise((resolve) => {
      if (left > 0) take(resolve);
      else waiting.push(resolve);
    });
}
