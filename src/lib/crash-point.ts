let left: { point: string; passes: number } | null | undefined;

/** `SEO_ADMIN_CRASH_AT=<point>[#n]`: the process dies at the n-th pass of that point. Read once, in tests alone. */
function wanted(): typeof left {
  if (process.env['NODE_ENV'] !== 'test') return null;
  const [point = '', pass = '1'] = (process.env['SEO_ADMIN_CRASH_AT'] ?? '').split('#');
  return point === '' ? null : { point, passes: Number(pass) };
}

/** A place where a test may kill the process without a farewell, to see that nothing is lost there. */
export function crashPoint(point: string): void {
  left ??= wanted();
  if (left?.point !== point) return;
  left.passes -= 1;
  if (left.passes === 0) process.kill(process.pid, 'SIGKILL');
}
