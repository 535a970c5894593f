/** A colour as red, green and blue from 0 to 255. */
export type Rgb = readonly [number, number, number];

export const BLACK: Rgb = [0, 0, 0];
export const WHITE: Rgb = [255, 255, 255];

/** Reads `#rgb` or `#rrggbb`. */
export function rgbOf(hex: string): Rgb {
  const digits = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, '$&$&') : hex;
  const number = Number.parseInt(digits.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

export const hexOf = (color: Rgb): string =>
  `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

/** `share` of the way from one colour to another. */
export const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((part, index) => Math.round(part + ((to[index] as number) - part) * share)) as unknown as Rgb;

/** Relative luminance, from 0 to 1 (WCAG 2.2). */
function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two colours, from 1 to 21 (WCAG 2.2). */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Whether black is easier to read on the colour than white. */
export const isLight = (color: Rgb): boolean => contrast(color, BLACK) >= contrast(color, WHITE);

const STEPS = 20;

/** The colour, or as little of the way from it to `end` as gives it this contrast to all of the grounds; else `end`. */
export function readable(color: Rgb, grounds: readonly Rgb[], minimum: number, end: Rgb): Rgb {
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(color, end, step / STEPS);
    if (grounds.every((ground) => contrast(mixed, ground) >= minimum)) return mixed;
  }
  return end;
}
