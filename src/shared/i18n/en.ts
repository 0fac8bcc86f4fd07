import type { Key } from './ru.ts';

/** The English catalogue: complete, or it does not compile. */
export const en: Record<Key, string> = {
  'error.not_found': 'Not found',
  'error.forbidden': 'Forbidden',
  'error.no_token': 'No token provided',
  'error.bad_token': 'Failed to authenticate token',
  'error.invalid': 'Check what was entered: {fields}',
  'error.invalid_value': 'Invalid value',
  'error.required': 'Required',
  'error.too_long': 'Too long',
  'error.characters': 'Characters that are not allowed',
  'error.json': 'The body is not JSON: {reason}',
  'error.too_large': 'The request is too large: {limit} at most',
  'error.wrong_type': 'Wrong Content-Type: {expected} is needed',
  'error.too_many': 'Too many attempts. Try again in {seconds} s',
  'error.method': 'Method not allowed: {allowed}',
  'error.host': 'Unknown host: {host}. Name it in SEO_ADMIN_PUBLIC_URL',
  'error.cross_site': 'A request from another site was refused',
  'error.unknown_reference': 'Unknown {field}',
  'error.internal': 'Internal error. Number: {id}',
  'error.database': 'The database does not answer. Try again later',
  'error.queue_full': 'Too many writes at once. Try again later',
  'error.storage_full': 'The disk is full: free some space and try again',

  'login.failed': 'Invalid login or password',
  'user.login_empty': 'Enter a login',
  'user.login_taken': 'The login is taken: {login}',
  'user.unknown': 'No such user: {login}',
  'user.last_admin': 'This is the last administrator: create another one first',
  'user.password_short': 'The password needs at least 10 characters',
  'user.telegram': 'Telegram name: Latin letters, digits and _, at most 32 characters',
  'setup.invalid': 'The link has expired or was used. A new one: seo-admin setup-link',

  'project.name_empty': 'Enter a project name',
  'project.deleted': 'Project deleted',
};
