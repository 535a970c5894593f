/**
 * Runs all steps in order, also after one that fails, and returns their results by name. Throws an AggregateError in the end if
 * some have failed.
 */
export async function runAll<Results extends object>(
  steps: {
    [Name in keyof Results]: () => Promise<Results[Name]>;
  },
): Promise<Results> {
  const results: Partial<Results> = {};
  const failures: unknown[] = [];
  const failed: string[] = [];
  for (const name of Object.keys(steps) as (keyof Results & string)[])
    try {
      results[name] = await steps[name]();
    } catch (error) {
      failures.push(error);
      failed.push(name);
    }
  if (failures.length > 0) throw new AggregateError(failures, `These steps failed: ${failed.join(', ')}`);
  return results as Results;
}
