import type { BudgetRules } from './budget.ts';
import type { Ended, Grant } from './ledger.ts';

// The first slice is small: most work is a few calls. Each one that is used up doubles the next, up to this part of the limit.
const FEW = 4;
const LARGEST_PART = 1 / 50;

interface Held {
  id: string;
  left: number;
  made: number;
  inFlight: number;
  /** When its last call was answered, or was started, where calls count from there. */
  last: number;
  /** Until when calls may begin, on the monotonic clock. */
  beginBy: number;
  forPeople: boolean;
}

/** A call that was taken out of a slice; `end` is called after its answer. */
export interface TakenCall {
  end: () => void;
}

/** The slices of one login that this process holds. Those that were taken for people serve people alone. */
export class SliceHolder {
  private held: Held[] = [];
  private size = FEW;

  constructor(
    private readonly rules: Pick<BudgetRules, 'key' | 'service' | 'limit' | 'shares' | 'countsFrom' | 'ledger'>,
  ) {}

  private usable(side: 'people' | 'others'): Held[] {
    const now = performance.now();
    return this.held.filter(
      ({ left, beginBy, forPeople }) => left > 0 && now < beginBy && (side === 'people' || !forPeople),
    );
  }

  /** Takes a call out of what is held; undefined: none is left. */
  next(side: 'people' | 'others'): TakenCall | undefined {
    const usable = this.usable(side);
    const slice = usable.find(({ forPeople }) => forPeople) ?? usable[0];
    if (!slice) return undefined;
    slice.left -= 1;
    slice.made += 1;
    slice.inFlight += 1;
    slice.last = performance.now();
    return {
      end: () => {
        slice.inFlight -= 1;
        if (this.rules.countsFrom === 'answer') slice.last = performance.now();
      },
    };
  }

  /** Whether it is time to ask for more, so that nobody has to wait for the answer. */
  isLow(side: 'people' | 'others', waiting: number): boolean {
    if (side === 'people' || this.size <= FEW) return false;
    const left = this.usable(side).reduce((sum, slice) => sum + slice.left, 0);
    return waiting > left && left <= this.size / 2;
  }

  /** Returns the slices of which no call is left or under way. */
  ended(isAll = false): Ended[] {
    const now = performance.now();
    return this.held
      .filter(({ left, inFlight, beginBy }) => inFlight === 0 && (isAll || left === 0 || now >= beginBy))
      .map(({ id, made, last }) => ({ id, calls: made, agoMs: made === 0 ? 0 : now - last }));
  }

  /** Asks the ledger for calls, and tells it which slices have ended. */
  async take(side: 'people' | 'others', waiting: number): Promise<Grant> {
    const { key, service, shares, ledger } = this.rules;
    const limit = this.rules.limit();
    const asked = performance.now();
    const ended = this.ended();
    const largest = Math.max(1, Math.floor(limit.calls * LARGEST_PART));
    this.size = Math.min(this.wantsMore(side) ? this.size * 2 : FEW, largest);
    const wanted = side === 'people' ? Math.min(waiting, FEW) : this.size;
    const grant = await ledger().take({ key, service, limit, share: shares[side], wanted, ended });
    this.forget(ended);
    if (grant.calls > 0) {
      const { id, calls } = grant;
      const beginBy = asked + grant.lastsMs;
      const forPeople = side === 'people';
      this.held.push({ id, left: calls, made: 0, inFlight: 0, last: 0, beginBy, forPeople });
    }
    return grant;
  }

  /** Gives back what is not used, when no further call is made. */
  async giveBack(): Promise<void> {
    const ended = this.ended(true);
    if (ended.length === 0) return;
    this.forget(ended);
    const { key, service, ledger } = this.rules;
    await ledger().settle({ key, service, limit: this.rules.limit(), ended });
  }

  private wantsMore(side: 'people' | 'others'): boolean {
    const last = this.held.findLast(({ forPeople }) => !forPeople);
    return side === 'others' && last !== undefined && performance.now() < last.beginBy;
  }

  private forget(ended: readonly Ended[]): void {
    const gone = new Set(ended.map(({ id }) => id));
    this.held = this.held.filter(({ id }) => !gone.has(id));
  }
}
