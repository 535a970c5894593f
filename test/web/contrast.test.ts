import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast, rgbOf } from '../../src/web/public/contrast.ts';
import { faceStyle, type UsedFace } from '../../src/web/public/face-style.ts';

const NONE: UsedFace = {
  primaryColor: null,
  primaryAccentColor: null,
  backgroundColor: null,
  paperColor: null,
  toolBarColor: null,
};

/** The custom properties in light and in dark, and the rules of the bar. */
function read(face: Partial<UsedFace>) {
  const [light = '', rest = ''] = (faceStyle({ ...NONE, ...face }) ?? '').split('@media');
  const [dark = '', bar = ''] = rest.split('} }');
  const colorsOf = (css: string) =>
    Object.fromEntries([...css.matchAll(/--([\w-]+): (#\w{6});/g)].map(([, name, color]) => [name, color]));
  return { light: colorsOf(light), dark: colorsOf(dark), bar };
}

const ratio = (one = '', other = '') => contrast(rgbOf(one), rgbOf(other));

/** What is shown on what, and with which contrast at least (WCAG 2.2, 1.4.3 and 1.4.11). */
const PAIRS: [string, string, number][] = [
  ...['ink', 'quiet', 'accent', 'accent-strong', 'alarm'].flatMap((text): [string, string, number][] => [
    [text, 'paper', 4.5],
    [text, 'ground', 4.5],
  ]),
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-strong', 4.5],
  ['accent', 'calm-ground', 4.5],
  ['alarm', 'alarm-ground', 4.5],
  ['ink', 'calm-ground', 4.5],
  ['ink', 'alarm-ground', 4.5],
  ['edge', 'paper', 3],
  ['ring', 'paper', 3],
];

const faultsOf = (colors: Record<string, string>) =>
  PAIRS.filter(([one, other, least]) => ratio(colors[one], colors[other]) < least);

const color = fc
  .tuple(...[0, 1, 2].map(() => fc.integer({ min: 0, max: 255 })))
  .map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`);
const orNull = fc.option(color);

describe('the colours of a project on a public page', () => {
  it('leave every text readable, whatever they are, in light and in dark', () => {
    const face = fc.record({
      ...{ primaryColor: orNull, primaryAccentColor: orNull, backgroundColor: orNull },
      ...{ paperColor: orNull, toolBarColor: color },
    });
    fc.assert(
      fc.property(face, (colors) => {
        const { light, dark, bar } = read(colors);
        const [ground = '', , text = ''] = bar.match(/#\w{6}/g) ?? [];
        expect([faultsOf(light), faultsOf(dark)]).toEqual([[], []]);
        expect(ratio(ground, text || bar.match(/#\w{6}/g)?.[1])).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 500, seed: 20261126 },
    );
  });

  it('are used as they are where they are readable', () => {
    const { light } = read({ primaryColor: '#7a0019', backgroundColor: '#fff8e7', paperColor: '#ffffff' });
    expect(light).toMatchObject({ accent: '#7a0019', ground: '#fff8e7', paper: '#ffffff' });
  });

  it('keep dark pages dark where only light surfaces are set', () => {
    const { light, dark } = read({ paperColor: '#fffbea' });
    expect([light.paper, dark.paper]).toEqual(['#fffbea', '#1b211e']);
  });

  it('are no style at all where none is set', () => {
    expect(faceStyle(NONE)).toBeUndefined();
  });
});
