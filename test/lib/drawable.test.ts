import { expect, it } from 'vitest';
import { drawable } from '../../src/pdf/font/clusters.js';

it('what is drawn on the record page has no invisible fillers and nothing that turns its order', () => {
  expect(drawable('Ann\u3164\u115F\u1160\uFFA0\u202E Smith\u200F\nsigned\u0007')).toBe('Ann Smith\nsigned');
  expect(drawable('می\u200Cخواهم ❤\uFE0F')).toBe('می\u200Cخواهم ❤\uFE0F');
});
