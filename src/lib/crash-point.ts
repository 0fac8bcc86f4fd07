let intercept: ((point: string) => void) | undefined;

/** Has a function called at every point, which may throw: a test that needs thousands of crashes can't end a process for each. */
export const interceptCrashPoints = (listener?: (point: string) => void): void => {
  intercept = listener;
};

let left: { point: string; passes: number } | null | undefined;

/** `SEO_ADMIN_CRASH_AT=<point>[#n]`: the process dies at the n-th pass of that point. Read once, and only in tests. */
function wanted(): typeof left {
  if (process.env['NODE_ENV'] !== 'test') return null;
  const [point = '', pass = '1'] = (process.env['SEO_ADMIN_CRASH_AT'] ?? '').split('#');
  return point === '' ? null : { point, passes: Number(pass) };
}

/** A point where a test may kill the process (SIGKILL), to show that nothing is lost there. No effect outside tests. */
export function crashPoint(point: string): void {
  intercept?.(point);
  left ??= wanted();
  if (left?.point !== point) return;
  left.passes -= 1;
  if (left.passes === 0) process.kill(process.pid, 'SIGKILL');
}
