import { defineConfig } from 'vitest/config';
import type { Reporter, Vitest } from 'vitest/node';
import config from '../../vitest.config.ts';

/** Reports files that fail outside of a test, as in `beforeAll`, which Stryker would ignore. */
class FailsOutside implements Reporter {
  #vitest?: Vitest;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestModuleEnd(...[module]: Parameters<Required<Reporter>['onTestModuleEnd']>): void {
    if (module.state() !== 'failed' || !module.children.allTests('failed').next().done) return;
    this.#vitest?.state.catchError(
      new Error(`${module.relativeModuleId} failed outside of its tests`),
      'Mutant',
    );
  }
}

/** The tests of the mutated modules. */
const include = process.env.MUTATION_TESTS?.split(',');

export default defineConfig({
  ...config,
  test: { ...config.test, include, reporters: [new FailsOutside()] },
});
