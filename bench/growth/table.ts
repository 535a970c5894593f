import { columns, number } from '../table.ts';
import type { Figures } from './measure.ts';

const HEADS = ['', 'ms', 'ratio', 'blocks', 'ratio', 'rows', 'small'];

/** One line for each operation, the worst ratio of blocks first. */
export const tableOf = (figures: Figures[]): string =>
  columns([
    HEADS,
    ...figures
      .toSorted((one, other) => other.blockRatio - one.blockRatio)
      .map(({ name, small, large, ratio, blockRatio }) => [
        name,
        number(large.milliseconds, 1),
        number(ratio, 2),
        number(large.blocks),
        number(blockRatio, 2),
        number(large.rows),
        number(small.rows),
      ]),
  ]);
