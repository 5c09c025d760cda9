import { defineConfig } from 'vitest/config'

const time = { testTimeout: 60_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**'],
          ...time,
        },
      },
      {
        // What runs the bundle; only these tests wait for it to be built.
        test: {
          name: 'bundle',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/build-once.ts'],
          // Each of these is a process with children of its own.
          maxConcurrency: 3,
          ...time,
        },
      },
    ],
  },
})
