/** Who can sign in to the demo. Its passwords are as short as they are because it is open to this computer alone. */
export const DEMO_USERS = [
  { login: 'demo', password: 'demo', role: 'admin' },
  { login: 'operator', password: 'operator', role: 'user' },
] as const;
