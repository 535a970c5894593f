const NUMBERS = new Intl.NumberFormat('en');

/** A number with its thousands set apart. */
export const numberText = (count: number | string): string => NUMBERS.format(Number(count));

export const timesText = (count: number): string => (count === 1 ? 'Once' : `${numberText(count)} times`);
