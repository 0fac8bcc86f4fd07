/**
 * Writes to audited tables that are nobody's decision, and why they are not audited. Tables without a row for any decision
 * say so in their declaration (`machine`).
 */
export const UNAUDITED = {
  migration: 'the schema changes, not what somebody has decided',
  copy: 'rows of another database are taken over, its audit with them',
  demo: 'a made-up portfolio is made',
  check: 'what a check has found: its tables keep the history',
  login_test: 'what the test of a login has found',
  release: 'which release is live: the deployment is an operation, whose start and end are audited',
  seal: 'a stored secret is sealed with the key of the installation; what it says stays',
  lost_reference: 'a deleted domain loses the reference to a row that is deleted, which is audited',
  budget_day: 'the day moves on: nobody decides it',
  purchase_look: 'an order was looked up, and nothing was proven',
  token_use: 'when a token was last used',
  purge: 'a row is removed that somebody deleted thirty days before, which is audited',
  telegram_chat: 'Telegram has said whether the chat of a link takes messages',
} as const;

/** The reason why a write is not audited. */
export type Unaudited = keyof typeof UNAUDITED;
