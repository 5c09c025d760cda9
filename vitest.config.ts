import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'

const shared = {
  // No test mocks a module or leaves something behind in one: they are loaded once for each worker, not
  // once for each of hundreds of files.
  isolate: false,
  // A run of the bundle on a busy machine takes its time; what hangs is cut off all the same.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Where tests run side by side, each is a process with children of its own: more only make each slower.
  maxConcurrency: 2,
}

export default defineConfig({
  test: {
    // vitest would leave one core to itself, which on two cores halves the speed.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: ['test/e2e/**'],
          globalSetup: ['test/prepared-database.ts'],
          ...shared,
        },
      },
      {
        // What runs the bundle; only these tests wait for it to be built.
        test: {
          name: 'bundle',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/prepared-database.ts', 'test/build-once.ts'],
          ...shared,
        },
      },
    ],
  },
})
