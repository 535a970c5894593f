// Plain JavaScript, for servers and browsers.

/** A time in UTC, to the minute. @param {Date} time */
export const timeText = (time) =>
  `${time.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
