import { describe, expect, it } from 'vitest';
import { onCommonDates, placeEvents, placeTicks } from '../../ui/positions/series.ts';

describe('onCommonDates', () => {
  it('puts engines that were read on other days beside each other, with gaps for no check and for beyond the depth', () => {
    const common = onCommonDates([
      { dates: ['2026-11-01', '2026-11-03'], values: [4, 0] },
      { dates: ['2026-11-02', '2026-11-03'], values: [9, 8] },
    ]);
    expect(common).toEqual({
      dates: ['2026-11-01', '2026-11-02', '2026-11-03'],
      values: [
        [4, null, null],
        [null, 9, 8],
      ],
    });
  });
});

describe('placeEvents', () => {
  it('marks a move on a day without a check at the next one, and leaves out what is later than all', () => {
    const event = { kind: 'moved', domain_name: 'a.ru', to_name: 'b.ru' } as const;
    const events = [
      { ...event, date: '2026-11-02' },
      { ...event, date: '2026-11-09' },
    ];
    expect(placeEvents(events, ['2026-11-01', '2026-11-03']).map(({ at }) => at)).toEqual([1]);
  });
});

describe('placeTicks', () => {
  it('leaves out places whose figures would cover each other; by the logarithm all have room', () => {
    expect(placeTicks(100, 200, false)).toEqual([1, 10, 30, 50, 100]);
    expect(placeTicks(100, 200, true)).toEqual([1, 3, 10, 30, 50, 100]);
  });
});
