import { describe, expect, it } from 'vitest'
import { has, type Row, show, verifyProject } from './toolchain.ts'

const cmake = {
  'CMakeLists.txt': [
    'cmake_minimum_required(VERSION 3.21)',
    'project(shop C)',
    'enable_testing()',
    'add_executable(sum_test sum_test.c)',
    'add_test(NAME sum COMMAND sum_test)',
  ].join('\n'),
}
const program = (add: string) => ({
  'sum_test.c': `#include <assert.h>\nint add(int a, int b) { return ${add}; }\nint main(void) {\n  assert(add(1, 2) == 3);\n}\n`,
})

const rows: readonly Row[] = [
  {
    name: 'passes',
    texts: { ...cmake, ...program('a + b') },
    shown: ['ctest: ended well, 1 + 0 + 0'],
  },
  {
    name: 'fails',
    texts: { ...cmake, ...program('a - b') },
    shown: [
      'ctest: ended badly, 0 + 1 + 0',
      expect.stringMatching(
        /^sum \| sum_test\.c:4 \| null \| .*Assertion `add\(1, 2\) == 3' failed/,
      ),
    ],
  },
  {
    name: 'does not build',
    texts: { ...cmake, ...program('a + nothere') },
    shown: [
      'ctest: ended badly, unknown',
      expect.stringMatching(/ \| sum_test\.c:2 \| null \| .nothere. undeclared/),
    ],
  },
  {
    name: 'has no tests',
    texts: {
      'CMakeLists.txt': 'cmake_minimum_required(VERSION 3.21)\nproject(shop C)\nenable_testing()\n',
    },
    shown: ['ctest: ended well, 0 + 0 + 0'],
  },
]

describe.runIf(has('cmake', 'ctest', 'cc', 'make'))('ctest', () => {
  it.each(rows)('that $name', { timeout: 60_000 }, async ({ texts, shown }) => {
    expect(show(await verifyProject(texts))).toEqual(shown)
  })
})

const makefile = (recipe: string) => ({
  Makefile: `CFLAGS = -Wall\n.PHONY: test\n\ntest: a\n\t${recipe}\n\na: a.c\n\t$(CC) -o a a.c\n`,
})

const made: readonly Row[] = [
  {
    name: 'passes, and does not tell how much',
    texts: { ...makefile('./a'), 'a.c': 'int main(void) { return 0; }\n' },
    shown: ['make test: ended well, unknown'],
  },
  {
    name: 'fails',
    texts: { ...makefile('./a'), 'a.c': 'int main(void) { return 3; }\n' },
    shown: ['make test: ended badly, unknown'],
  },
  {
    name: 'does not build',
    texts: { ...makefile('./a'), 'a.c': 'int main(void) { return nothere; }\n' },
    shown: [
      'make test: ended badly, unknown',
      expect.stringMatching(/ \| a\.c:1 \| null \| .nothere. undeclared/),
    ],
  },
  {
    name: 'passes on what a runner prints',
    texts: {
      ...makefile("@echo '3 examples, 0 failures, 1 pending'"),
      'a.c': 'int main(void) { return 0; }\n',
    },
    shown: ['make test: ended well, 2 + 0 + 1'],
  },
]

describe.runIf(has('make', 'cc'))('make', () => {
  it.each(made)('that $name', { timeout: 60_000 }, async ({ texts, shown }) => {
    expect(show(await verifyProject(texts))).toEqual(shown)
  })
})
