import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';

/** Results, by name of the part. */
export type Figures = Record<string, unknown>;

/** The environment of a measurement. */
export const machine = () => ({
  processors: cpus().length,
  model: cpus()[0]?.model,
  node: process.version,
  /** Load average of the last 15 minutes, this measurement included. */
  loadAverage: Math.round((loadavg()[2] as number) * 10) / 10,
});

/** Replaces the results of the measured parts in this file; returns the complete content. */
export async function keepFigures(file: URL, measured: Figures): Promise<Figures> {
  const previous = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  const figures = { ...previous, ...measured };
  await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`);
  return figures;
}
