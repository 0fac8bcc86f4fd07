/** The users of the demo. Short passwords are acceptable because only this computer can reach it. */
export const DEMO_USERS = [
  { login: 'demo', password: 'demo', role: 'admin' },
  { login: 'operator', password: 'operator', role: 'user' },
] as const;

/** The name of the entry of `Server-Timing` by which a page of the interface tells that it is a demo's. */
export const DEMO_MARK = 'demo';
