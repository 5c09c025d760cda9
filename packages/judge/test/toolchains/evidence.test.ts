import { describe, expect, it } from 'vitest'
import { playChange, type Texts } from '../proof/play-change.ts'
import { javaSum, javaTest } from './forging-attacks.ts'
import { hasMaven, installed, pom } from './maven.ts'
import { has } from './toolchain.ts'

interface Language {
  readonly name: string
  readonly runs: boolean
  readonly before: Texts
  readonly needs?: Parameters<typeof playChange>[3]
  /** A function that the start commit has not, its tests of these bodies beside it. */
  readonly added: (test: string) => Texts
  readonly asserts: string
  readonly calls: string
  /** `add` of the start commit with another body, and one more test of it. */
  readonly edited: (body: string, test: string) => Texts
  readonly same: string
  readonly other: string
  readonly ofSame: string
  readonly ofOther: string
}

const goTest = (name: string, body: string) =>
  `package sum\n\nimport "testing"\n\nfunc ${name}(t *testing.T) {\n\t${body}\n}\n`
const goSum = (body: string) => `package sum\n\nfunc Add(a, b int) int {\n\t${body}\n}\n`
const rustSum = (body: string, test: string) =>
  `pub fn add(a: i32, b: i32) -> i32 {\n    ${body}\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n${test}}\n`
const rustTest = (name: string, body: string) =>
  `    #[test]\n    fn ${name}() {\n        ${body}\n    }\n`

const languages: readonly Language[] = [
  {
    ...{ name: 'Go', runs: has('go') },
    before: {
      'go.mod': 'module sum\n\ngo 1.19\n',
      'sum.go': goSum('return a + b'),
      'sum_test.go': goTest('TestAdd', 'if Add(1, 2) != 3 {\n\t\tt.Fatal("no")\n\t}'),
    },
    added: (test) => ({
      'twice.go': 'package sum\n\nfunc Twice(a int) int {\n\treturn a * 2\n}\n',
      'twice_test.go': goTest('TestTwice', test),
    }),
    asserts: 'if got := Twice(2); got != 4 {\n\t\tt.Errorf("got %d", got)\n\t}',
    calls: 't.Log(Twice(2))',
    edited: (body, test) => ({
      'sum.go': goSum(body),
      'more_test.go': goTest('TestMore', test),
    }),
    same: 'return b + a',
    other: 'if a > 100 {\n\t\treturn 100\n\t}\n\treturn a + b',
    ofSame: 'if Add(2, 2) != 4 {\n\t\tt.Fatal("no")\n\t}',
    ofOther: 'if Add(200, 2) != 100 {\n\t\tt.Fatal("no")\n\t}',
  },
  {
    ...{ name: 'Rust', runs: has('cargo') },
    before: {
      'Cargo.toml': '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': rustSum('a + b', ''),
    },
    added: (test) => ({
      'src/lib.rs': `pub mod twice;\n\n${rustSum('a + b', '')}`,
      'src/twice.rs': `pub fn twice(a: i32) -> i32 {\n    a * 2\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n${rustTest('doubles', test)}}\n`,
    }),
    asserts: 'assert_eq!(twice(2), 4);',
    calls: 'let _ = twice(2);',
    edited: (body, test) => ({ 'src/lib.rs': rustSum(body, rustTest('adds_more', test)) }),
    same: 'b + a',
    other: 'if a > 100 {\n        return 100;\n    }\n    a + b',
    ofSame: 'assert_eq!(add(2, 2), 4);',
    ofOther: 'assert_eq!(add(200, 2), 100);',
  },
  {
    ...{ name: 'Java', runs: hasMaven, needs: installed },
    before: {
      ...{ ...pom, ...javaSum('return a + b;') },
      'src/test/java/com/acme/SumTest.java': javaTest,
    },
    added: (test) => ({
      'src/main/java/com/acme/Twice.java':
        'package com.acme;\npublic class Twice {\n  static int of(int a) { return a * 2; }\n}\n',
      'src/test/java/com/acme/TwiceTest.java': javaTest
        .replace('SumTest', 'TwiceTest')
        .replace('assertEquals(3, Sum.add(1, 2));', test),
    }),
    asserts: 'assertEquals(4, Twice.of(2));',
    calls: 'Twice.of(2);',
    edited: (body, test) => ({
      ...javaSum(body),
      'src/test/java/com/acme/MoreTest.java': javaTest
        .replace('SumTest', 'MoreTest')
        .replace('adds', 'addsMore')
        .replace('assertEquals(3, Sum.add(1, 2));', test),
    }),
    same: 'return b + a;',
    other: 'if (a > 100) return 100;\n    return a + b;',
    ofSame: 'assertEquals(4, Sum.add(2, 2));',
    ofOther: 'assertEquals(100, Sum.add(200, 2));',
  },
]

type Row = readonly [name: string, (of: Language) => Texts, evidence: string, before: string]
const rows: readonly Row[] = [
  ['a new function with a test of it', (of) => of.added(of.asserts), 'proven', 'not_run'],
  ['a new function with a test that only calls it', (of) => of.added(of.calls), 'unharmed', ''],
  [
    'a repaired function with a test of it',
    (of) => of.edited(of.other, of.ofOther),
    'proven',
    'failed',
  ],
  [
    'another body with a test of what it did',
    (of) => of.edited(of.same, of.ofSame),
    'unharmed',
    'passed',
  ],
]

describe.each(languages.filter(({ runs }) => runs))('$name', (language) => {
  it.each(rows)('%s', { timeout: 600_000 }, async (_, change, evidence, before) => {
    const { receipt } = await playChange(language.before, change(language), 'Twice', language.needs)
    expect(receipt.evidence).toBe(evidence)
    if (before !== '') expect(receipt.newTests?.map((each) => each.before)).toEqual([before])
  })
})
