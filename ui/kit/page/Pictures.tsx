import { BanCircleIcon, ErrorIcon, SwapHorizontalIcon, TickIcon } from '../icons.tsx';
import { useT } from '../language.ts';
import { Panel } from '../Panel.tsx';
import { AvailabilityStrip, type Span } from '../pictures/AvailabilityStrip.tsx';
import { Sparkline } from '../pictures/Sparkline.tsx';
import { Timeline, type TimelineEvent } from '../pictures/Timeline.tsx';
import { T } from '../T.tsx';

const DAYS = 30;
const days = Array.from({ length: DAYS }, (_, day) => day);

const RISING = days.map((day) => day + (day % 4) * 3);
const WITH_GAP = days.map((day) => (day > 9 && day < 16 ? null : 12 - (day % 7)));

function spanOf(day: number, title: string): Span {
  if (day === DAYS - 1) return { title, state: 'blocked' };
  if (day === 12) return { title, state: 'down', share: 0.6 };
  if (day === 20) return { title, state: 'down', share: 0.01 };
  return { title, state: day === 5 ? 'unknown' : 'up' };
}

/** The sparkline and the strip: rising to trouble, with a gap, and with every kind of span. */
export function Pictures() {
  const t = useT();
  return (
    <Panel title={<T k="kit.pictures" />}>
      <div className="kit-stack">
        <div className="kit-trend">
          <T k="kit.line" />
          <Sparkline values={RISING} label={t('kit.line')} bad />
        </div>
        <div className="kit-trend">
          <T k="kit.gap" />
          <Sparkline values={WITH_GAP} label={t('kit.gap')} />
        </div>
        <Sparkline values={WITH_GAP} label={t('kit.line_wide')} wide />
        <AvailabilityStrip
          spans={days.map((day) => spanOf(day, `${day + 1}`))}
          label={t('kit.strip')}
          axis={[t('kit.ago'), '99,3 %', t('kit.now')]}
        />
      </div>
    </Panel>
  );
}

const at = (day: number, time: string): string => `2026-11-${day}T${time}:00Z`;

/** Events of two days, of every tone. */
export function Events() {
  const events: readonly TimelineEvent[] = [
    { id: 1, at: at(22, '09:10'), icon: <TickIcon />, tone: 'good', text: <T k="kit.event_checked" /> },
    { id: 2, at: at(22, '07:58'), icon: <BanCircleIcon />, tone: 'bad', text: <T k="kit.event_blocked" /> },
    { id: 3, at: at(21, '15:20'), icon: <ErrorIcon />, tone: 'doubtful', text: <T k="kit.event_broken" /> },
    { id: 4, at: at(21, '11:07'), icon: <SwapHorizontalIcon />, text: <T k="kit.event_moved" />, note: 'demo' },
  ];
  return (
    <Panel title={<T k="kit.events" />}>
      <Timeline events={events} />
    </Panel>
  );
}
