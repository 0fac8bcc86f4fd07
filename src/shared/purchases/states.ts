/**
 * States of a purchase: `awaiting_approval` and `reserved` hold money and have sent nothing · `sending` the one attempt runs · `unknown` its
 * answer was not heard · `pending` the order was taken and the registry has not done it · `committed` paid · `released` nothing was
 * charged · `simulated` no cap was set, so that nothing was held or sent.
 */
export const PURCHASE_STATES = [
  'awaiting_approval',
  'reserved',
  'sending',
  'unknown',
  'pending',
  'committed',
  'released',
  'simulated',
] as const;
export type PurchaseState = (typeof PURCHASE_STATES)[number];
