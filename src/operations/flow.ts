import type { Said } from '../shared/i18n/index.ts';
import type { Held, OperationItemRow, OperationRow, StoredAct } from '../shared/operations.ts';

/** What a step learns and says while it runs. Progress is saved now and then, not at every call. */
export interface StepContext {
  operation: OperationRow;
  /** Fires when the work is to stop at once: the process ends, or another process has taken over. */
  signal: AbortSignal;
  /** Fires when somebody cancels: nothing more is begun, and what is under way is brought to a known end. */
  cancelled: AbortSignal;
  /** Has `cancelled` fire: the work was found to be given up before the next look for that. */
  giveUp: () => void;
  /** Adds to the count of what was worked on, and of what of it could not be done. */
  advance: (done: number, failed?: number) => void;
  /** A result, for whoever runs the operation in the foreground. */
  item: (item: object) => void;
}

/** How a step ended besides well: with an error that leaves the others their turn, or held for a person. */
export interface StepOutcome {
  error?: Said;
  held?: Held;
}

/** One step of a flow. It may run again after a crash, so it leaves out what it has done. */
export interface FlowStep {
  name: string;
  /** Runs even after a cancellation: it brings our own rows to what was done. */
  always?: true;
  run: (context: StepContext) => Promise<StepOutcome>;
}

/** A kind of long work. `steps` and `total` are asked when it begins; `finished` says how it went, in one sentence. */
export interface Flow {
  kind: string;
  steps: (operation: OperationRow) => FlowStep[];
  total: (operation: OperationRow) => Promise<number>;
  finished: (operation: OperationRow) => Said | Promise<Said>;
  /** The same for cancelled work; without it the items are counted. */
  cancelled?: (operation: OperationRow) => Promise<Said>;
  /** Its one or first step works items off: cancelled, it brings what is under way to a known end and is not cut. */
  byItems?: true;
  /** How an item's acts are taken back, newest first; a flow without it cannot be restored. */
  items?: ItemWork;
  /** Interrupted so many hours ago, it is not taken up again by itself. */
  forgottenHours?: number;
  /** Somebody's site is down: it does not wait behind other work. */
  urgent?: true;
}

/** An item as it is queued: `item` names it (`dns example.com`), `lane` the outside account that pays for its calls. */
export interface NewItem {
  item: string;
  lane: string;
  data: object;
}

/** An item as a flow gets it back. */
export interface Item<D = unknown> {
  item: string;
  lane: string;
  data: D;
  acts: readonly StoredAct[];
  /** Who asked for the work; null: the command line on the host. */
  user_id: number | null;
}

/** Where the world is not what it was before. `stays`: it was never meant to be given back. */
export interface Difference {
  name: string;
  was: unknown;
  is: unknown;
  stays?: true;
}

/** What is to be changed outside, as it was found just now. `perform` makes one attempt and never repeats itself. */
export interface Change extends Images {
  perform: () => Promise<void>;
}

/**
 * One act on an item, by what may be done about one whose end is not known:
 * `read` only looks, and throws where the item cannot go on ·
 * `set` puts to a wanted state, which `look` compares: looked at before every attempt, so it may be repeated ·
 * `unsafe` may never be made twice: one that was begun and not ended waits for a person.
 */
export interface Act {
  name: string;
  class: 'read' | 'set' | 'unsafe';
  /**
   * Looks outside and says what is to be changed; null where it is as wanted. Throws Waiting where it is too early to say, unless
   * `isOver`: the time for that has passed, or somebody has cancelled.
   */
  look: (isOver?: boolean) => Promise<Change | null>;
  /** An own row that goes with it, written in the transaction that notes the act as done. */
  record?: (before: unknown, after: unknown) => OwnRow;
  /**
   * An own row that keeps what the act is about to replace, written in the transaction that notes the intent; and once more
   * with `isBegun` false where the act turns out not to have arrived.
   */
  keep?: (before: unknown, after: unknown, isBegun: boolean) => OwnRow | undefined;
  /** Joins what an earlier try has noted with what is left to do, where a part of it may have arrived. */
  merge?: (earlier: Images, left: Images) => Images;
  /** For an act of a way back: reads once more, and tells where the world is not what it was before. */
  differs?: () => Promise<Difference[]>;
}

/** What was there before an act, and what it puts there. */
export interface Images {
  before: unknown;
  after: unknown;
  /** The id of the outside object, where its name alone could mean another one later. */
  on?: string;
}

/** A row, and what writes rows of its kind: acts that are noted together have theirs written by one call. */
export interface OwnRow {
  save: (rows: never[]) => Promise<void>;
  row: object;
}

/**
 * How work is done item by item. `open` prepares a lane once a run: credentials and lists that its items share. `input` is
 * what the operation was asked.
 */
export interface ItemWork<L = unknown, D = unknown, I = unknown> {
  open: (lane: string, items: readonly Item<D>[], signal: AbortSignal) => Promise<L>;
  /** Lets go of what `open` holds, such as a connection. */
  close?: (lane: L) => Promise<void>;
  acts: (item: Item<D>, lane: L, input: I) => Act[];
  /** The acts that put an item back to what it was; `item.acts` are those that were done, the last first. */
  undo?: (item: Item<D>, lane: L) => Act[];
  /** An item that can't go on is taken back, where leaving it half done would be worse than never having begun. */
  rollback?: Rollback<L, D>;
  /** A cancellation cuts what is under way instead of waiting for it: an act takes long, and a part of it does no harm. */
  isCut?: true;
  /** How many items of a lane are worked on at once. */
  atOnce?: number;
  /** How often an item is tried, and the pauses between the tries. */
  patience?: Patience;
}

/**
 * How an item is taken back, act by act, the last first. Once the act `until` is done the item only goes forward, whoever
 * cancels: what fails then waits for another try.
 */
export interface Rollback<L = unknown, D = unknown> {
  until: string;
  /** The act that takes a stored one back; null where there is nothing to take back. */
  undo: (item: Item<D>, lane: L, act: StoredAct) => Act | null;
}

/** How often something is tried; the pause doubles from the first to the longest. */
export interface Patience {
  attempts: number;
  firstPauseMs: number;
  longestPauseMs: number;
}

/** An item's row as a flow sees it; `user_id` is the operation's. */
export const itemOf = (row: OperationItemRow, user_id: number | null): Item => ({
  user_id,
  item: row.item,
  lane: row.lane,
  data: JSON.parse(row.data),
  acts: JSON.parse(row.acts) as StoredAct[],
});
