import type { PublicFace } from '../../domain/projects/project-settings.ts';
import { DARK, LIGHT, type Palette, properties } from '../ui/palette.ts';
import { BLACK, hexOf, isLight, mix, type Rgb, readable, rgbOf, WHITE } from './contrast.ts';

/** Least contrasts of WCAG 2.2, AA: of texts (1.4.3), and of borders and the focus (1.4.11). */
const TEXT = 4.5;
const BORDER = 3;

const USED = ['primaryColor', 'primaryAccentColor', 'backgroundColor', 'paperColor', 'toolBarColor'] as const;

/** The colours of a project that its public pages use. */
export type UsedFace = Pick<PublicFace, (typeof USED)[number]>;

/**
 * CSS that gives a page the colours of a project, in light and in dark; undefined without any. Surfaces are used in the scheme
 * that they fit, and what is on them is moved towards black or white until it is readable.
 */
export function faceStyle(face: UsedFace): string | undefined {
  if (USED.every((name) => face[name] === null)) return undefined;
  const dark = properties(paletteOf(face, DARK, false));
  return `:root { ${properties(paletteOf(face, LIGHT, true))} }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
${face.toolBarColor ? barStyle(rgbOf(face.toolBarColor)) : ''}`;
}

function paletteOf(face: UsedFace, base: Palette, light: boolean): Palette {
  const end = light ? BLACK : WHITE;
  const surface = (own: string | null, usual: string): Rgb => {
    const color = rgbOf(own ?? usual);
    return isLight(color) === light ? color : rgbOf(usual);
  };
  const ground = surface(face.backgroundColor, base.ground);
  const paper = surface(face.paperColor, base.paper);
  const on = (color: string | Rgb, minimum: number, ...more: string[]): Rgb => {
    const grounds = [ground, paper, ...more.map(rgbOf)];
    return readable(typeof color === 'string' ? rgbOf(color) : color, grounds, minimum, end);
  };
  const accent = on(face.primaryColor ?? base.accent, TEXT, base['calm-ground']);
  const strong = on(face.primaryAccentColor ?? mix(accent, end, 0.25), TEXT, base['calm-ground']);
  return inHex({
    ...{ ground, paper, accent },
    ink: on(base.ink, TEXT),
    quiet: on(base.quiet, TEXT),
    line: mix(paper, end, 0.16),
    edge: on(base.edge, BORDER),
    'accent-strong': strong,
    // The accents are darker than a light paper, and lighter than a dark one, by as much as a text has to be.
    'on-accent': light ? WHITE : BLACK,
    alarm: on(base.alarm, TEXT, base['alarm-ground']),
    'alarm-ground': rgbOf(base['alarm-ground']),
    'calm-ground': rgbOf(base['calm-ground']),
    ring: on(base.ring, BORDER),
  });
}

const inHex = (colors: Record<keyof Palette, Rgb>): Palette =>
  Object.fromEntries(Object.entries(colors).map(([name, color]) => [name, hexOf(color)])) as Palette;

/** The bar has one colour in both schemes. */
const barStyle = (color: Rgb): string =>
  `.masthead { background: ${hexOf(color)}; border-color: transparent; }
.masthead .brand, .masthead .brand svg { color: ${hexOf(isLight(color) ? BLACK : WHITE)}; }`;
