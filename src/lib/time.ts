export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A time so many milliseconds from now. */
export const fromNow = (ms: number): Date => new Date(Date.now() + ms);
