const UNITS = ['bytes', 'kB', 'MB', 'GB'];

/** A size for people, such as `1.4 MB`. */
export function fileSize(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1_000 ** unit).toFixed(unit > 1 ? 1 : 0)} ${UNITS[unit]}`;
}

/** A day, with its year unless it is this one. */
export function shortDate(time: string): string {
  const date = new Date(time);
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : 'numeric';
  return date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', year });
}
