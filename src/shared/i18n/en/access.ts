import type { access as ru } from '../ru/access.ts';

/** Users, sign-in, sessions. */
export const access: Record<keyof typeof ru, string> = {
  'login.no_storage': 'The browser keeps no data of this site: allow it in its settings, or free some room',
  'login.failed': 'Invalid login or password',
  'user.login_empty': 'Enter a login',
  'user.login_taken': 'The login is taken: {login}',
  'user.unknown': 'No such user: {login}',
  'user.last_admin': 'This is the last administrator: create another one first',
  'user.password_short': 'The password needs at least 10 characters',
  'user.telegram': 'Telegram name: Latin letters, digits and _, at most 32 characters',
  'setup.invalid': 'The link has expired or was used. A new one: seo-admin setup-link',
  'session.ended': 'Signed out',
  'setup.closed': 'There is an administrator already: sign in on the login page',
  'user.none': 'There are no users yet. First: seo-admin user create --login L --role admin',

  // Sign-in and the first run
  'login.title': 'Login',
  'login.login': 'Login',
  'login.password': 'Password',
  'login.submit': 'Login',
  'login.expired': 'Your session has expired. Sign in again',
  'login.too_many': 'Too many attempts, wait {n} s',
  'login.first_run': 'First run. Open the link from the terminal or run this command:',
  'login.caps_lock': 'Caps Lock is on',
  'setup.title': 'First administrator',
  'setup.text': 'Login and password to sign in with. Other users are created by the administrator.',
  'setup.login': 'Login',
  'setup.password': 'Password',
  'setup.password_help': 'At least 10 characters',
  'setup.submit': 'Create and sign in',
  'setup.no_token':
    'Open the whole link from the terminal: this address lacks its code. A new link: seo-admin setup-link',

  // Users. The fields and the messages of creation are verbatim
  'users.login': 'Login',
  'users.password': 'Password',
  'users.telegram': 'Telegram',
  'users.role': 'Role',
  'users.create': 'Create',
  'users.failed': 'Error creating user',
  'users.created': 'User created with ID: {id}',
  'users.copy_access': 'Copy the sign-in data',
  'users.list': 'Users',
  'users.list_failed': 'The users could not be loaded',
  'users.none': 'No users',
  'users.active': 'Access',
  'users.active_yes': 'open',
  'users.active_no': 'closed',
  'users.created_at': 'Created',
};
