import { createAccount, listAccounts, testAccount, testLogin } from '../services/accounts/accounts.ts';
import { editAccount } from '../services/system/edits/account-edit.ts';
import { deleteTeamRow } from '../services/accounts/team.ts';
import type { Tested } from '../services/accounts/tester.ts';
import type { DetailsOf } from '../services/accounts/testers.ts';
import { renderCheckError } from '../shared/accounts/check-error.ts';
import {
  textOf,
  type AccountChange,
  type AccountInput,
  type AccountLogin,
  type AccountView,
} from '../shared/accounts/kind.ts';
import { KINDS, type Kind } from '../shared/accounts/kinds.ts';
import { editOf, inputOf, loginOf } from '../shared/accounts/shapes.ts';
import { translate, type Render } from '../shared/i18n/index.ts';
import { idOf, Nothing, route, type Route } from './http/route.ts';
import type { z } from 'zod';

type Body<Value> = z.ZodType<Value, Value>;

/** The result of a test for the client; `code` is null if it passed. */
type TestAnswer<K extends Kind> = { ok: boolean; code: string | null; message: string } & DetailsOf<K['noun']>;

/** The calls of a kind, as the browser's types and the contract have them. */
type CallsOf<K extends Kind> = Record<`GET ${K['path']}`, Route<undefined, undefined, { data: AccountView<K>[] }>> &
  Record<`POST ${K['path']}`, Route<Body<AccountInput<K>>, undefined, { data: AccountView<K> }>> &
  Record<`${K['edit']} ${K['path']}/:id`, Route<Body<AccountChange<K>>, undefined, { data: AccountView<K> }>> &
  Record<`POST ${K['path']}/:id/test`, Route<typeof Nothing, undefined, { data: TestAnswer<K> }>> &
  Record<`DELETE ${K['path']}/:id`, Route<undefined, undefined, { message: string }>> &
  (K['test']['unsaved'] extends true
    ? Record<`POST ${K['path']}/test`, Route<Body<AccountLogin<K>>, undefined, { data: TestAnswer<K> }>>
    : object);

const answerOf = <K extends Kind>(
  render: Render,
  { code, message, details }: Tested<DetailsOf<K['noun']>>,
): TestAnswer<K> => ({ ok: code === null, code, message: render(message), ...details });

/** The call that tests an unsaved login. Spread before the routes with `:id`, which would match its path. */
function testLoginCall(kind: Kind): object {
  if (!kind.test.unsaved) return {};
  return {
    [`POST ${kind.path}/test`]: route({
      summary: `Test the login of ${kind.called.one} before it is saved`,
      body: loginOf(kind),
      run: async ({ body, render }) => ({
        data: answerOf(render, await testLogin(kind, body)),
      }),
    }),
  };
}

function callsOf<K extends Kind>(kind: K): CallsOf<K> {
  const { path, called } = kind;
  return {
    [`GET ${path}`]: route({
      summary: `The team's ${called.many}; secrets for their creator and admins alone`,
      run: async ({ actor, secrets, render }) => ({
        data: (await listAccounts(actor, kind, secrets)).map((view) => renderCheckError(render, view)),
      }),
    }),
    [`POST ${path}`]: route({
      summary: `Add ${called.one}`,
      body: inputOf(kind),
      run: async ({ actor, body, secrets, render }) => ({
        data: renderCheckError(render, await createAccount(actor, kind, body, secrets)),
      }),
    }),
    ...testLoginCall(kind),
    [`POST ${path}/:id/test`]: route({
      summary: `Test the login of ${called.one}, and keep the result`,
      body: Nothing,
      run: async ({ actor, params, render }) => ({
        data: answerOf<K>(render, await testAccount(actor, kind, idOf(params))),
      }),
    }),
    [`${kind.edit} ${path}/:id`]: route({
      summary: `Edit ${called.one}; what is absent stays, and all of it (409, \`stale\`) where a field no longer holds what \`was\` says`,
      body: editOf(kind),
      run: async ({ actor, params, body: { was, ...change }, secrets, render }) => ({
        data: renderCheckError(
          render,
          await editAccount(actor, kind, idOf(params), change as AccountChange<K>, secrets, was),
        ),
      }),
    }),
    [`DELETE ${path}/:id`]: route({
      summary: `Delete ${called.one} that nothing uses`,
      run: async ({ actor, params, language }) => {
        const { name } = await deleteTeamRow(actor, kind.table.name, idOf(params));
        return { message: translate(language, textOf(kind, 'deleted'), { name }) };
      },
    }),
  } as CallsOf<K>;
}

type EachOf<K> = K extends Kind ? (calls: CallsOf<K>) => void : never;
type AllCalls = EachOf<Kind> extends (calls: infer All) => void ? All : never;

/** The calls of every kind of account. */
export const accounts = Object.assign({}, ...KINDS.map((kind) => callsOf(kind))) as AllCalls;
