import { describe, expect, it } from 'vitest'
import { countLive } from '../../../src/entry/progress/describe-activity.ts'

/** As the runners print to a pipe. */
const outputs: readonly (readonly [
  name: string,
  output: string,
  passed: number,
  failed: number,
  skipped: number,
])[] = [
  [
    'node --test, with suites and what it says twice',
    `✔ one (0.9ms)
✖ two (0.6ms)
▶ suite
  ✔ inner (0.2ms)
  ﹣ later (1.7ms) # SKIP
✔ suite (2.3ms)
ℹ tests 4
ℹ pass 2

✖ failing tests:

test at test/a.test.js:4:1
✖ two (0.6ms)
`,
    ...([2, 1, 1] as const),
  ],
  [
    'node --test in the packages of a workspace',
    `
> one@1.0.0 test
> node --test

✔ a (0.9ms)
✖ b (0.6ms)
ℹ tests 2

✖ failing tests:

✖ b (0.6ms)

> two@1.0.0 test
> node --test

✔ c (0.9ms)
ℹ tests 1
`,
    ...([2, 1, 0] as const),
  ],
  [
    'Mocha, behind what a build and a linter sum up',
    `✖ 2 problems (0 errors, 2 warnings)

✓ 34 modules transformed.
✓ built in 1.21s
✔ Generated Prisma Client (v6.1.0) to ./node_modules in 60ms
  ✔ adds
  ✔ Generated ids differ
`,
    ...([2, 0, 0] as const),
  ],
  [
    'Vitest',
    ` ✓ test/a.test.ts (3 tests) 5ms
 ✓ test/b.test.ts (4 tests | 1 skipped) 5ms
 ❯ test/c.test.ts (3 tests | 1 failed) 8ms
   ✓ adds 1ms
   × subtracts 5ms
`,
    ...([8, 1, 1] as const),
  ],
  [
    'pytest',
    `collected 12 items
tests/test_a.py ..F.s                 [ 41%]
..x....                               [100%]
`,
    ...([9, 1, 2] as const),
  ],
  [
    'pytest -v',
    'tests/test_a.py::test_x PASSED   [ 50%]\ntests/test_a.py::test_y[a b] FAILED [100%]\n',
    ...([1, 1, 0] as const),
  ],
  ['PHPUnit', '......F..   9 / 12 ( 75%)\n.S.   12 / 12 (100%)\n', 10, 1, 1],
  [
    'cargo test',
    'running 3 tests\ntest a::b ... ok\ntest a::c ... FAILED\ntest a::d ... ignored\n',
    ...([1, 1, 1] as const),
  ],
  [
    'unittest -v',
    "test_a (t.T.test_a) ... ok\ntest_b (t.T.test_b) ... skipped 'no'\n",
    ...([1, 0, 1] as const),
  ],
  ['TAP', 'TAP version 13\nok 1 - a\n  ok 1 - inner\nnot ok 2 - b\n', 1, 1, 0],
  ['go test -v', '=== RUN   TestA\n--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\n', 1, 1, 0],
  [
    'Maven',
    `[INFO] Tests run: 3, Failures: 0, Errors: 1, Skipped: 1, Time elapsed: 0.1 s -- in a.BTest
[ERROR] Tests run: 3, Failures: 0, Errors: 1, Skipped: 1
`,
    ...([1, 1, 1] as const),
  ],
  ['Gradle', 'BTest > adds PASSED\nBTest > divides FAILED\n', 1, 1, 0],
  [
    'CTest',
    '1/2 Test #1: a .......   Passed    0.00 sec\n2/2 Test #2: b .......***Failed\n',
    1,
    1,
    0,
  ],
  ['colours', '\u001B[32m✓\u001B[39m adds\n\u001B[31m✗\u001B[39m divides\n', 1, 1, 0],
]

describe('tests are counted while they run, by the output of', () => {
  it.each(outputs)('%s', (_, output, passed, failed, skipped) => {
    for (const size of [1, 7, 10_000]) {
      const counter = countLive()
      expect(counter.counts()).toBeNull()
      for (let at = 0; at < output.length; at += size) counter.add(output.slice(at, at + size))
      expect(counter.counts()).toEqual({ passed, failed, skipped, unit: 'tests' })
    }
  })

  it('Jest, which names files alone', () => {
    const counter = countLive()
    counter.add('PASS src/a.test.js\nFAIL src/b.test.js (5.2 s)\n  ✓ not counted twice\n')
    const counts = { passed: 1, failed: 1, skipped: 0, unit: 'files' }
    expect(counter.counts()).toEqual(counts)
    counter.add('Summary of all failing tests\nFAIL src/b.test.js (5.2 s)\n')
    expect(counter.counts()).toEqual(counts)
  })

  it('nothing that is none, however much of it there is', () => {
    const counter = countLive()
    counter.add('okay 1\nPASSED by\n....\nx ... okay\n')
    for (let index = 0; index < 20; index += 1) counter.add('✔ '.repeat(300_000))
    expect(counter.counts()).toBeNull()
    counter.add('\n✔ at last\n')
    expect(counter.counts()).toBeNull()
  })
})
