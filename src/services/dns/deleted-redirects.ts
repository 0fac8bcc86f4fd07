// Which redirects of a zone are one that was deleted: the same again, and not another that was alike.
import { isDeepStrictEqual } from 'node:util';
import type { Redirect, RedirectRule } from '../../providers/cloudflare/redirects.ts';

/**
 * A single redirect with everything of it that can be written. `follows` are the references of those before it, `beside` of all others;
 * earlier versions have stored no `beside`.
 */
export type DeletedRedirect = RedirectRule & { follows: string[]; beside?: string[] };

/** Returns the reference of a redirect. */
export const refOf = ({ ref, id }: Redirect): string => ref ?? id;

/** Whether two redirects do the same, whatever their reference and description are. */
const doSame = (one: RedirectRule | Redirect, other: RedirectRule | Redirect): boolean => {
  const [does, otherDoes] = [one, other].map(({ enabled, expression, action, action_parameters }) => ({
    enabled,
    expression,
    action,
    action_parameters,
  }));
  return isDeepStrictEqual(does, otherDoes);
};

/** Returns the redirects that are a deleted one: those with its reference, and those made anew that do the same, but none that was beside it. */
export const againOf = (redirects: readonly Redirect[], was: DeletedRedirect): Redirect[] =>
  redirects.filter(
    (one) => refOf(one) === was.ref || (!(was.beside ?? was.follows).includes(refOf(one)) && doSame(one, was)),
  );

/** Whether a deleted redirect is there again and does what it did. */
export const isAgain = (redirects: readonly Redirect[], was: DeletedRedirect): boolean =>
  againOf(redirects, was).some((one) => doSame(one, was));
