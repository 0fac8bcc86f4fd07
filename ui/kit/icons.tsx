export interface IconProps {
  /** Pixels; 16 by default. */
  size?: number;
  className?: string;
}

/** Returns an icon of strokes on a grid of 16 px. It is hidden from screen readers: a text beside it or a label says it. */
const icon =
  (d: string, look = '') =>
  ({ size = 16, className = '' }: IconProps) => (
    <svg
      className={`bp6-icon icon ${look} ${className}`.replace(/ +/g, ' ').trim()}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      <path d={d} />
    </svg>
  );

const RING = 'M8 2.25a5.75 5.75 0 1 1 0 11.5a5.75 5.75 0 0 1 0-11.5z';
const EYE =
  'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8zM8 6.2a1.8 1.8 0 1 1 0 3.6a1.8 1.8 0 0 1 0-3.6z';
const TICK = 'M3.5 8.5l3 3 6-7';
const CROSS = 'M4.5 4.5l7 7M11.5 4.5l-7 7';

// The marks of states: each has a form of its own, so that none is told by colour alone.
export const TickIcon = icon(TICK);
export const StaleIcon = icon(RING, 'icon-dashed');
export const ErrorIcon = icon(`${RING}M8 5v3.4M8 10.8h.01`);
export const BanCircleIcon = icon(
  'M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 0 0 0-12.5zM5.2 7.1h5.6a.9.9 0 0 1 0 1.8H5.2a.9.9 0 0 1 0-1.8z',
  'icon-filled',
);
export const BellIcon = icon('M4 11V7a4 4 0 0 1 8 0v4l1 1.2H3zM6.8 14h2.4');
export const TimeIcon = icon(`${RING}M8 5v3.2l2 1.3`);
export const RunningIcon = icon('M8 2.5A5.5 5.5 0 1 1 2.5 8', 'icon-running');
export const WaitingIcon = icon(`${RING}M6.6 6v4M9.4 6v4`);
export const WarningSignIcon = icon('M8 2.5l6 10.7H2zM8 6.5v3M8 11.4h.01');
export const TickCircleIcon = icon(`${RING}M5.3 8.2l1.9 1.9 3.5-4`);
export const DisableIcon = icon(`${RING}M4 4l8 8`);
export const InfoSignIcon = icon(`${RING}M8 7.4v3.4M8 5.2h.01`);
export const HelpIcon = icon(`${RING}M6.3 6.3a1.7 1.7 0 1 1 2.5 1.5c-.5.3-.8.6-.8 1.2M8 11h.01`);
export const MinusIcon = icon('M4 8h8');
export const SmallTickIcon = icon(TICK);
export const SmallCrossIcon = icon(CROSS);

export const AddIcon = icon('M8 3.5v9M3.5 8h9');
export const ArrowRightIcon = icon('M3 8h10M9.5 4.5L13 8l-3.5 3.5');
export const ArrowUpIcon = icon('M8 12.5v-9M4.5 7L8 3.5 11.5 7');
export const ArrowDownIcon = icon('M8 3.5v9M4.5 9L8 12.5 11.5 9');
export const ChevronDownIcon = icon('M4 6l4 4 4-4');
export const ChevronRightIcon = icon('M6 4l4 4-4 4');
export const ClipboardIcon = icon(
  'M6.5 5.5h5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1zM3.5 10.5v-6a1 1 0 0 1 1-1h6',
);
export const CrossIcon = icon(CROSS);
export const DocumentIcon = icon('M4 2.5h5l3 3v8H4zM9 2.5v3h3');
export const SortIcon = icon('M5 6l3-3 3 3M5 10l3 3 3-3');
export const DownloadIcon = icon('M8 2.5v8M4.5 7.5L8 11l3.5-3.5M3 13.5h10');
export const EditIcon = icon(
  'M3 13l.7-3L10.5 3.2a1.3 1.3 0 0 1 1.9 0l.4.4a1.3 1.3 0 0 1 0 1.9L6 12.3zM9.3 4.4l2.3 2.3',
);
export const EyeOpenIcon = icon(EYE);
export const EyeOffIcon = icon(`${EYE}M3 13L13 3`);
export const FlowLinearIcon = icon(
  'M3.5 6.5a1.5 1.5 0 1 1 0 3a1.5 1.5 0 0 1 0-3zM12.5 6.5a1.5 1.5 0 1 1 0 3a1.5 1.5 0 0 1 0-3zM5 8h6',
);
export const FolderNewIcon = icon('M2.5 4h3.8l1.5 1.5h5.7v7h-11zM8 7.3v3.4M6.3 9h3.4');
export const FolderOpenIcon = icon('M2.5 12.5V4h3.8l1.5 1.5h4.7V7M2.5 12.5L4.3 7h9.9l-1.7 5.5z');
export const GlobeNetworkIcon = icon(
  `${RING}M2.4 8h11.2M8 2.3c2 2 2.6 3.8 2.6 5.7S10 11.7 8 13.7C6 11.7 5.4 9.9 5.4 8S6 4.3 8 2.3z`,
);
export const HistoryIcon = icon('M2.8 6A5.5 5.5 0 1 1 2.5 8.7M2.5 3v3h3M8 5.2V8l2 1.3');
export const KeyIcon = icon('M5.5 7a3 3 0 1 1 0 6a3 3 0 0 1 0-6zM7.7 7.8l5.3-5.3M10.8 4.7l1.9 1.9');
export const LockIcon = icon(
  'M4.5 7h7a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
);
export const MenuIcon = icon('M2.5 4.5h11M2.5 8h11M2.5 11.5h11');
export const MoonIcon = icon('M13 9.5A5.5 5.5 0 1 1 6.5 3a4.5 4.5 0 0 0 6.5 6.5z');
export const MoreIcon = icon('M3.5 8h.01M8 8h.01M12.5 8h.01', 'icon-dots');
export const PropertiesIcon = icon('M2.5 4h.01M5.5 4h8M2.5 8h.01M5.5 8h8M2.5 12h.01M5.5 12h8');
export const RefreshIcon = icon('M13 8a5 5 0 1 1-1.6-3.7M13 2.8v2.4h-2.4');
export const RemoveIcon = icon(`${RING}M5.5 8h5`);
export const RepeatIcon = icon('M3 7V6a2 2 0 0 1 2-2h7.5M10.5 2l2 2-2 2M13 9v1a2 2 0 0 1-2 2H3.5M5.5 14l-2-2 2-2');
export const SearchIcon = icon('M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9zM10.5 10.5L14 14');
export const SettingsIcon = icon(
  'M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 3.5a1.5 1.5 0 1 1 0 3a1.5 1.5 0 0 1 0-3zM6 9.5a1.5 1.5 0 1 1 0 3a1.5 1.5 0 0 1 0-3z',
);
export const ShareIcon = icon('M7 3.5H4a1 1 0 0 0-1 1V12a1 1 0 0 0 1 1h7.5a1 1 0 0 0 1-1V9M9.5 2.5h4v4M13.5 2.5L8 8');
export const ShieldIcon = icon('M8 2.2l5 1.8v4c0 3-2.1 5-5 6-2.9-1-5-3-5-6V4z');
export const StopIcon = icon('M4.5 4.5h7v7h-7z');
export const SunIcon = icon(
  'M8 5.2a2.8 2.8 0 1 1 0 5.6a2.8 2.8 0 0 1 0-5.6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
);
export const SwapHorizontalIcon = icon('M2.5 5.5h10M10 3l2.5 2.5L10 8M13.5 10.5h-10M6 8l-2.5 2.5L6 13');
export const TimelineEventsIcon = icon('M4 3v10M4 4.5h8M4 8h5M4 11.5h7');
export const TrashIcon = icon('M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9M6.7 7v4M9.3 7v4');
export const UndoIcon = icon('M5.5 3L3 5.5 5.5 8M3 5.5h6a3.75 3.75 0 0 1 0 7.5H6');
