import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'
import { plantedBug, variable } from './test/planted/planted-bug.ts'
import { tiers } from './test/tiers.ts'

const onlyTests = (patterns: readonly string[]): string[] =>
  patterns.map((pattern) => (pattern.endsWith('**') ? `${pattern}/*.test.ts` : pattern))

export default defineConfig({
  test: {
    // vitest would leave one core to itself, which on two cores halves the speed.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/report-times.ts'],
    projects: tiers.map(({ name, include, exclude, needsBuild }) => ({
      plugins: plantedBug(),
      test: {
        name,
        include: onlyTests(include),
        exclude: [...exclude],
        globalSetup: ['test/prepared-database.ts', ...(needsBuild ? ['test/build-once.ts'] : [])],
        setupFiles: ['test/property-runs.ts'],
        // No test mocks a module or leaves something behind in one: they are loaded once for each worker,
        // not once for each of hundreds of files.
        isolate: false,
        // Modules are kept by their text, which a planted bug is no part of.
        fsModuleCache: process.env[variable] === undefined,
        // A run of the bundle on a busy machine takes its time; what hangs is cut off all the same.
        testTimeout: 120_000,
        hookTimeout: 120_000,
        // Where tests run side by side, each is a process with children of its own: more only make each slower.
        maxConcurrency: 2,
      },
    })),
  },
})
