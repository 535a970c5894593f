/** The first that is found counts: each program names others too, for compatibility. */
const BROWSERS: [pattern: RegExp, name: string][] = [
  [/\bEdgA?(iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: [pattern: RegExp, name: string][] = [
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

const MAX_LENGTH = 60;

const firstIn = (text: string, names: [RegExp, string][]): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** A program by its User-Agent, such as `Firefox on Linux`: a hint for people, as programs may send any. */
export function programOf(userAgent: string): string {
  const [browser, system] = [firstIn(userAgent, BROWSERS), firstIn(userAgent, SYSTEMS)];
  if (browser) return system ? `${browser} on ${system}` : browser;
  return userAgent.slice(0, MAX_LENGTH) || 'Unknown program';
}
