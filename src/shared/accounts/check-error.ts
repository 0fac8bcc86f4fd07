import type { Message, Render } from '../i18n/index.ts';

/** Returns an account or a server with the error of its last test as text. */
export const renderCheckError = <View extends { check_error: Message | null }>(
  render: Render,
  view: View,
): Omit<View, 'check_error'> & { check_error: string | null } => ({
  ...view,
  check_error: view.check_error && render(view.check_error),
});
