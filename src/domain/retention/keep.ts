/** How long documents are kept: in months or days; neither is for ever. */
export interface Keep {
  keepMonths: number | null;
  keepDays: number | null;
}

/** Days of a month, at least and at most. */
const SHORTEST_MONTH = 28;
const LONGEST_MONTH = 31;

/** The longest time, in years. */
const MAX_YEARS = 1_000;

const DURATION = /^P(\d{1,6})([YMWD])$/;

/** Parses a duration of ISO 8601 in one unit (P10Y, P6M, P2W, P90D); undefined if it is none, zero, or above 1,000 years. */
export function parseKeep(text: string): Keep | undefined {
  const [, digits, unit] = DURATION.exec(text) ?? [];
  const count = Number(digits);
  if (!unit || count === 0) return undefined;
  const keep =
    unit === 'Y' || unit === 'M'
      ? { keepMonths: unit === 'Y' ? count * 12 : count, keepDays: null }
      : { keepMonths: null, keepDays: unit === 'W' ? count * 7 : count };
  const isShort = (keep.keepMonths ?? 0) <= MAX_YEARS * 12 && (keep.keepDays ?? 0) <= MAX_YEARS * 365;
  return isShort ? keep : undefined;
}

/** The duration in ISO 8601; null for ever. */
export function keepText({ keepMonths, keepDays }: Keep): string | null {
  if (keepMonths !== null) return keepMonths % 12 === 0 ? `P${keepMonths / 12}Y` : `P${keepMonths}M`;
  return keepDays === null ? null : `P${keepDays}D`;
}

/** Whether the second time is as long as the first or longer, from whatever moment it is counted. */
export function isAsLong(before: Keep, after: Keep): boolean {
  if (keepText(after) === null) return true;
  if (keepText(before) === null) return false;
  if (before.keepMonths !== null && after.keepMonths !== null) return after.keepMonths >= before.keepMonths;
  return daysAtLeast(after) >= daysAtMost(before);
}

const daysAtLeast = ({ keepMonths, keepDays }: Keep): number =>
  (keepMonths ?? 0) * SHORTEST_MONTH + (keepDays ?? 0);
const daysAtMost = ({ keepMonths, keepDays }: Keep): number =>
  (keepMonths ?? 0) * LONGEST_MONTH + (keepDays ?? 0);
