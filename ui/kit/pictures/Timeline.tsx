import type { ReactElement, ReactNode } from 'react';
import { useFormats } from '../language.ts';
import './pictures.css';

export interface TimelineEvent {
  id: number | string;
  /** An ISO time. */
  at: string;
  icon: ReactElement;
  /** The colour of the icon; grey without one. */
  tone?: 'good' | 'bad' | 'doubtful' | 'running';
  text: ReactNode;
  /** The user or part of the program that did it. */
  note?: ReactNode;
}

/** Groups events by the day that they fall on for the reader; the order stays. */
function daysOf(events: readonly TimelineEvent[], date: (iso: string) => string): [string, TimelineEvent[]][] {
  const days = new Map<string, TimelineEvent[]>();
  for (const event of events) {
    const day = date(event.at);
    days.set(day, [...(days.get(day) ?? []), event]);
  }
  return [...days];
}

/** Shows events as a list for each day. */
export function Timeline({ events }: { events: readonly TimelineEvent[] }) {
  const formats = useFormats();
  return (
    <div className="timeline">
      {daysOf(events, formats.date).map(([day, events]) => (
        <section key={day} aria-label={day}>
          <div className="timeline-day" aria-hidden="true">
            {day}
          </div>
          <ol>
            {events.map(({ id, at, icon, tone, text, note }) => (
              <li key={id}>
                <time dateTime={at}>{formats.time(at)}</time>
                <span className={tone ?? 'muted'}>{icon}</span>
                <span className="timeline-text">{text}</span>
                {note !== undefined && <span className="timeline-note">{note}</span>}
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}
