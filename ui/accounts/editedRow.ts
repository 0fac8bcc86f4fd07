import type { Kind } from '../../src/shared/accounts/kinds.ts';
import { OPENED } from '../kit/dialog/useUrlDialog.ts';

/** The name in the URL of the row whose dialog is open on a screen of accounts. */
export const EDITED = 'edit';

/** Returns the target of a link to the dialog of an account; closing that leads back to the page of the link. */
export const linkToRow = ({ screen }: Kind, id: number): { to: string; state: string } => ({
  to: `${screen.path}?${EDITED}=${id}`,
  state: OPENED,
});
