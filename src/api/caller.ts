import type { Context } from 'koa';
import type { Door } from '../services/access/acting.ts';

/** Who calls without a session, such as to sign in. */
export const STRANGER = { id: null, login: '' };

/**
 * Returns the door of a call. A browser names the origin of the page with every call that changes something; programs, which
 * use the API with the same token, don't.
 */
export const doorOf = (context: Context, route: string, address: string): Door => ({
  name: context.get('origin') === '' ? 'api' : 'ui',
  call: route,
  address,
});
