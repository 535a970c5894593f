/** The colours of the pages, as the custom properties of their style sheet; each `#rgb` or `#rrggbb`. */
export const LIGHT = {
  ground: '#f4f5f1',
  paper: '#fff',
  ink: '#1c2420',
  quiet: '#56615b',
  line: '#d5dad4',
  edge: '#7b857f',
  accent: '#14614b',
  'accent-strong': '#0d4a39',
  'on-accent': '#fff',
  alarm: '#a4262c',
  'alarm-ground': '#fcf0ef',
  'calm-ground': '#eaf3ee',
  ring: '#1769d2',
};

export type Palette = typeof LIGHT;

export const DARK: Palette = {
  ground: '#131715',
  paper: '#1b211e',
  ink: '#e8ede9',
  quiet: '#a5b1aa',
  line: '#333c37',
  edge: '#7d8a83',
  accent: '#86d3b4',
  'accent-strong': '#a4e3c9',
  'on-accent': '#0b241b',
  alarm: '#ff9c94',
  'alarm-ground': '#33201f',
  'calm-ground': '#1c2c25',
  ring: '#8ab8ff',
};

/** The declarations of the custom properties. */
export const properties = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, color]) => `--${name}: ${color};`)
    .join(' ');
