import { describe, expect, it } from 'vitest'
import { playChange } from '../proof/play-change.ts'
import { hasMaven, installed, pom, withMaven } from './maven.ts'
import { type Row, show, verifyProject } from './toolchain.ts'

const sum = (add: string) => ({
  'src/main/java/com/acme/Sum.java': `package com.acme;\npublic class Sum {\n  static int add(int a, int b) { return ${add}; }\n}\n`,
})
const test = {
  'src/test/java/com/acme/SumTest.java': [
    'package com.acme;',
    'import static org.junit.jupiter.api.Assertions.assertEquals;',
    'import org.junit.jupiter.api.*;',
    'class SumTest {',
    '  @Test void adds() {',
    '    assertEquals(3, Sum.add(1, 2));',
    '  }',
    '  @Disabled @Test void later() {}',
    '}',
  ].join('\n'),
}

const rows: readonly Row[] = [
  {
    name: 'passes',
    texts: { ...pom, ...sum('a + b'), ...test },
    shown: ['mvn test: ended well, 1 + 0 + 1'],
  },
  {
    name: 'fails',
    texts: { ...pom, ...sum('a - b'), ...test },
    shown: [
      'mvn test: ended badly, 0 + 1 + 1',
      'SumTest > adds | src/test/java/com/acme/SumTest.java:6 | AssertionFailedError | expected: <3> but was: <-1>',
    ],
  },
  {
    name: 'does not build',
    texts: { ...pom, ...sum('nothere'), ...test },
    shown: [
      'mvn test: ended badly, unknown',
      expect.stringMatching(
        / \| src\/main\/java\/com\/acme\/Sum\.java:3 \| null \| cannot find symbol/,
      ),
    ],
  },
  {
    name: 'has no tests',
    texts: {
      ...pom,
      'src/test/java/com/acme/Nothing.java': 'package com.acme;\nclass Nothing {}\n',
    },
    shown: ['mvn test: ended well, 0 + 0 + 0'],
  },
]

describe.runIf(hasMaven)('maven', () => {
  it.each(rows)('that $name', { timeout: 120_000 }, async ({ texts, shown }) => {
    expect(show(await verifyProject(texts, withMaven))).toEqual(shown)
  })

  it('that hangs is stopped', { timeout: 120_000 }, async () => {
    const texts = { ...pom, ...sum('a + b'), ...test }
    const path = 'src/test/java/com/acme/SumTest.java'
    const hanging = texts[path].replace(
      'adds() {',
      'adds() throws Exception { Thread.sleep(3600000);',
    )
    const [report] = await verifyProject(
      { ...texts, [path]: hanging },
      { ...withMaven, timeoutSeconds: 5 },
    )
    expect(report).toMatchObject({ timedOut: true, exitCode: null })
  })

  it('blames no change for tests that were red behind a test class that does not compile', {
    timeout: 300_000,
  }, async () => {
    const late = (name: string, expected: number) => ({
      [`src/test/java/com/acme/${name}Test.java`]: test['src/test/java/com/acme/SumTest.java']
        .replaceAll('Sum', name)
        .replace('adds() {', `adds${name}() {`)
        .replace('3,', `${expected},`),
    })
    const twin = (name: string, add: string) => ({
      [`src/main/java/com/acme/${name}.java`]: sum(add)['src/main/java/com/acme/Sum.java'].replace(
        'Sum',
        name,
      ),
    })
    const before = {
      ...{ ...pom, ...sum('a - b'), ...test },
      ...{ ...late('Late', 3), ...twin('Green', 'a + b'), ...late('Green', 3) },
    }
    const right = await playChange(before, twin('Late', 'a + b'), undefined, installed)
    expect([right.outcome, right.broken]).toEqual(['passed', []])
    expect(right.receipt.before).toEqual({ passed: 1, failed: 1, skipped: 2 })
    const wrong = await playChange(before, twin('Late', 'a * b'), undefined, installed)
    expect(wrong.outcome).toBe('failed')
    expect(wrong.broken.join()).toContain('LateTest > addsLate')
    const harm = { ...twin('Late', 'a + b'), ...twin('Green', 'a / b') }
    const worse = await playChange(before, harm, undefined, installed)
    expect([worse.outcome, worse.broken.join()]).toEqual([
      'failed',
      expect.stringContaining('GreenTest'),
    ])
    // The class still does not compile: another task's.
    const other = await playChange(before, sum('a + b'), undefined, installed)
    expect([other.outcome, other.broken]).toEqual(['unverified', []])
    expect(other.receipt.after).toEqual({ passed: 2, failed: 0, skipped: 2 })
    expect(other.receipt.notes.join()).toMatch(/ran without src\/test\/\S+LateTest\.java, which/)
    const bad = await playChange(before, sum('a * b'), undefined, installed)
    expect([bad.outcome, bad.broken.join()]).toEqual(['failed', expect.stringContaining('adds')])
  })

  it('runs the tests of a change in copies that must fail', { timeout: 300_000 }, async () => {
    const before = { ...pom, ...sum('a - b'), ...test }
    const { outcome, receipt, ran } = await playChange(before, sum('a + b'), undefined, installed)
    expect({ outcome, evidence: receipt.evidence, warnings: receipt.warnings ?? [] }).toEqual({
      ...{ outcome: 'passed', evidence: 'proven', warnings: [] },
    })
    // The failing test of ours, and its twin, each in a folder of its own.
    expect(ran.filter((line) => /-Dtest=SumTest\w+Test /.test(line))).toHaveLength(2)
  })
})
