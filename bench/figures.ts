import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';

/** What was measured, by name of the part. */
export type Figures = Record<string, unknown>;

/** What figures depend on besides the program. */
export const machine = () => ({
  processors: cpus().length,
  model: cpus()[0]?.model,
  node: process.version,
  /** Of the last 15 minutes: how much it had to do, this work too. */
  loadAverage: Math.round((loadavg()[2] as number) * 10) / 10,
});

/** Writes what was measured to this file, in the place of what was measured before; gives all that is in it then. */
export async function keepFigures(file: URL, measured: Figures): Promise<Figures> {
  const kept = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  const figures = { ...kept, ...measured };
  await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`);
  return figures;
}
