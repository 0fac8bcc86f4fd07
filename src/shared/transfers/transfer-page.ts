import { z } from 'zod';
import type { CertificateFault, HealthError } from '../checks/health.ts';
import type { Message, Render } from '../i18n/index.ts';
import { renderOperation, type ItemState, type OperationItemView, type OperationView } from '../operations.ts';
import type { DomainDetail } from '../portfolio/domains.ts';
import { Id } from '../text.ts';

/** The query of the page of a transfer, and the body of a look: which of its moves, by its number; the first without one. */
export const WhichMove = z.object({ move: Id.optional() });
export const LookInput = z.object({ move: Id.optional() });

/** One of the two names of a move. `domain` is null where it is not the reader's any more. */
export interface MoveSide {
  id: number;
  domain_name: string;
  unicode_name: string;
  domain: DomainDetail | null;
}

/** A move of a transfer in a list; `target` is null where it was declined. */
export interface MoveName {
  id: number;
  source: string;
  target: string | null;
  state: ItemState;
}

/** Why a move that has ended needs somebody. */
export type MoveQuestion =
  /** It was declined, or has failed: another reserve, or the same once more. */
  | 'choose'
  /** A person has to look at the reserve, and confirm it. */
  | 'confirm'
  /** Not all could be taken back, or an end is not known. */
  | 'half'
  /** It has moved, and something after it has failed. */
  | 'open'
  /** It has moved, and its redirect was not seen. */
  | 'unseen';

/** A move with what was done. `acts` have no images of whole zones. */
export interface MoveView<Text = string> extends Pick<OperationItemView<Text>, 'id' | 'state' | 'error' | 'acts'> {
  source: MoveSide;
  target: MoveSide | null;
  /** The outside condition that it waits for, such as a certificate; null: none. */
  waits: Text | null;
  /** Null while nothing waits for a person. */
  question: MoveQuestion | null;
  /** It has moved: the roles have changed. */
  has_moved: boolean;
  /** Advice about a redirect that was not seen; null: there is none. */
  warning: Text | null;
  redirect_seen_at: string | null;
}

/** The page of a transfer: its operation, the names of its moves (`MOST_MOVES` at most), and one of them as a whole. */
export interface TransferPage<Text = string> {
  operation: OperationView<Text>;
  moves: MoveName[];
  move_count: number;
  move: MoveView<Text> | null;
}

export const MOST_MOVES = 200;

/** A name as a visitor gets it now. `status` is null without an answer, and `error` tells the reason. */
export interface SeenName {
  domain_name: string;
  unicode_name: string;
  status: number | null;
  error: HealthError | null;
  certificate: CertificateFault | null;
  /** The server has no certificate for the name. */
  no_certificate: boolean;
  /** The address at the end of all redirects. */
  address: string;
  is_https: boolean;
  /** The host at the end, where it is not the name itself. */
  leads_to: string | null;
  /** Its own redirects, if any, are permanent. */
  for_good: boolean;
  /** It forwards to the other name for good. */
  forwards: boolean;
  title: string | null;
  ms: number;
}

/** Both names as visitors see them; null: the name is not the reader's any more. */
export interface SeenMove {
  at: string;
  source: SeenName | null;
  target: SeenName | null;
}

/** Puts the messages of a page into a language. */
export const renderTransferPage = (
  render: Render,
  { operation, move, ...rest }: TransferPage<Message>,
): TransferPage => ({
  ...rest,
  operation: renderOperation(render, operation),
  move: move && {
    ...move,
    error: move.error && render(move.error),
    warning: move.warning && render(move.warning),
    waits: move.waits && render(move.waits),
  },
});
