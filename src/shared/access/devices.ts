/** A session as its owner sees it. `browser` and `system` are names, null where the agent names none that is known. */
export interface DeviceView {
  id: number;
  address: string;
  browser: string | null;
  system: string | null;
  created_at: string;
  last_seen_at: string;
  current: boolean;
}

// In this order: Edge, Opera and Yandex name Chrome too, and Chrome names Safari.
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

// Android names Linux, and iPhones name Mac OS X.
const SYSTEMS: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (names: readonly [RegExp, string][], agent: string): string | null =>
  names.find(([pattern]) => pattern.test(agent))?.[1] ?? null;

/** Returns the names of browser and system in a user agent. */
export const deviceOf = (agent: string | null): Pick<DeviceView, 'browser' | 'system'> => ({
  browser: nameIn(BROWSERS, agent ?? ''),
  system: nameIn(SYSTEMS, agent ?? ''),
});
