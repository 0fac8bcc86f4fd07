/** The first pause of transfers in tests after a service has failed. */
export const FIRST_PAUSE_MS = 20;

/** The gate of a transfer in tests: it polls every 10 or 20 ms and gives up after a second. */
export const QUICK_GATE = {
  everyMs: 10,
  limitMs: 1_000,
  timeoutMs: 3_000,
  certificate: { everyMs: 20, limitMs: 1_000 },
  redirect: { everyMs: 20, limitMs: 1_000 },
};
