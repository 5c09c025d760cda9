import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readErrors } from '../../results/errors.ts'
import { parseGoJson } from '../../results/go.ts'
import { parseJsonReport, parseMochaJson, parseRspec } from '../../results/json-reports.ts'
import { parseText } from '../../results/read-run.ts'
import type { Results, RunPlace } from '../../results/results.ts'
import { parseTap } from '../../results/tap.ts'
import { parseJunit, parseTrx } from '../../results/xml-reports.ts'

const readers: Readonly<Record<string, (text: string, place: RunPlace) => Results | null>> = {
  'go test -json': parseGoJson,
  'JSON of jest': parseJsonReport,
  'JUnit XML': parseJunit,
  'JSON of mocha': parseMochaJson,
  'JSON of RSpec': parseRspec,
  TAP: parseTap,
  TRX: parseTrx,
  text: parseText,
  errors: (text, place) => ({ counts: null, failures: readErrors(text, place) }),
}

const sources = Array.from({ length: 20_000 }, (_, index) => `a${index % 40}/src/A${index}.java`)
const place = { folder: '/project', directory: 'web', sources }

const folder = join(import.meta.dirname, '../recordings')
const recordings = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name }) => readFileSync(join(folder, name), 'utf8'))

function checkSane(results: Results | null): void {
  const { counts = null, failures = [] } = results ?? {}
  for (const count of Object.values(counts ?? {})) {
    expect(Number.isSafeInteger(count) && count >= 0).toBe(true)
  }
  for (const failure of failures) {
    expect(JSON.stringify(failure).length).toBeLessThan(20_000)
    expect(failure.file ?? 'web').not.toMatch(/^(?:\/|\.\.)/)
    expect(failure.line ?? 1).toSatisfy(Number.isSafeInteger)
  }
}

/** Long enough that quadratic time would take minutes. */
const aMegabyte = (part: string): string => part.repeat(Math.ceil(1_000_000 / part.length))

const laughs = [
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha">',
  ...Array.from({ length: 30 }, (_, index) => `<!ENTITY a${index} "${'&a;'.repeat(10)}">`),
  ']><testsuite><testcase name="&a29;"><failure message="&a29;">&a29;</failure></testcase></testsuite>',
].join('\n')

const rows: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['NUL', '\0'.repeat(1_000_000)],
  ['a BOM', '\ufeff<testsuite><testcase name="a"/></testsuite>'],
  ['entities that multiply', laughs],
  ['an open CDATA', '<testsuite><![CDATA['],
  ['an open CDATA in a failure', '<testsuite><testcase name="a"><failure><![CDATA['],
  ['an open comment', '<testsuite><!-- <testcase name="a"/>'],
  ['an open instruction', '<testsuite><? <testcase name="a"/>'],
  ['many open quotes', `<testsuite>${aMegabyte('<testcase name="')}`],
  ['many tests', `<testsuite>${aMegabyte('<testcase name="x"><failure/></testcase>')}`],
  ['many CDATA', `<testsuite><testcase><failure>${aMegabyte('<![CDATA[x]]>')}`],
  ['many less-than signs', `<testsuite>${aMegabyte('<')}`],
  ['many ampersands', `<testsuite><testcase name="${aMegabyte('&')}"><failure/>`],
  ['one attribute', `<testsuite><testcase ${aMegabyte('a')}=""><failure/>`],
  [
    'a deep stack',
    `<testsuite><testcase classname="a.B" name="x"><failure>${aMegabyte('\n\tat a.b.C.d(A7.java:3)')}</failure>`,
  ],
  ['many results of .NET', `<TestRun>${aMegabyte('<UnitTestResult outcome="Failed"><Message>x')}`],
  ['deep JSON', '['.repeat(1_000_000)],
  ['wrong JSON', '{"stats":{"passes":-1,"pending":"x","failures":1e400},"failures":{}}'],
  ['wrong examples', '{"examples":[{"status":3},null,[]],"summary":{"example_count":-3}}'],
  ['wrong counts', '{"examples":[],"messages":[3],"summary":{"example_count":0}}'],
  ['cut JSON', '{"testResults":[{"assertionResults":[{"status":"failed"'],
  ['many events', aMegabyte('{"Action":"fail","Package":"a","Test":"T/x"}\n')],
  [
    'many tests of Go',
    Array.from(
      { length: 50_000 },
      (_, index) => `{"Action":"fail","Package":"a","Test":"T${index}/x${index}"}`,
    ).join('\n'),
  ],
  ['a deep name', `{"Action":"fail","Package":"a","Test":"${aMegabyte('a/')}"}`],
  ['much output', aMegabyte('{"Action":"output","Test":"T","Output":"    a_test.go:3: x\\n"}\n')],
  ['a long number', `Ran ${'9'.repeat(1_000_000)} tests in 0.1s\n\nOK`],
  ['many summaries', aMegabyte('3 examples, 1 failure\n')],
  [
    'many failures of minitest',
    `${aMegabyte('  1) Failure:\nA#b [c.rb:3]:\nx\n')}\n1 runs, 1 assertions, 1 failures, 0 errors`,
  ],
  [
    'less than nothing',
    '1 runs, 1 assertions, 9 failures, 9 errors, 9 skips\nTests run: 1, Failures: 5, Errors: 5, Skipped: 5',
  ],
  ['many crashes', aMegabyte("x.rb:1:in `f': bad (LoadError)\n")],
  ['many messages of PHP', aMegabyte('PHP Parse error:  x in /project/a.php on line 3\n')],
  ['many messages of Maven', aMegabyte('[ERROR] /project/A.java:[1,2] bad\n')],
  ['many errors', aMegabyte('a.c:1:2: error: x\n')],
  ['colons', aMegabyte('a:')],
  ['colons and digits', aMegabyte(':1')],
  ['parentheses', aMegabyte('(((')],
  ['dots', aMegabyte('at a.b.')],
  ['spaces', aMegabyte(' ')],
  ['carriage returns', aMegabyte('\r')],
  ['colours', aMegabyte('\u001b[31m')],
  ['paths elsewhere', 'File "/etc/passwd", line 1\n../../x.c:1:2: error: x\n/x/y.go:3:1: bad'],
]

describe.each(Object.entries(readers))('%s', (_name, read) => {
  it.each(rows)('reads %s', { timeout: 60_000 }, (_row, text) => {
    checkSane(read(text, place))
  })

  it('reads the same with Windows line ends and colours', () => {
    for (const text of recordings) {
      const painted = text.replaceAll('\n', '\r\n')
      expect(read(painted, place)?.counts).toEqual(read(text, place)?.counts)
    }
  })

  it('reads cut or damaged output', { timeout: 60_000 }, () => {
    const damaged = fc
      .tuple(
        fc.constantFrom(...recordings),
        fc.nat(9000),
        fc.nat(300),
        fc.string({ unit: 'binary' }),
      )
      .map(([text, start, length, put]) => text.slice(0, start) + put + text.slice(start + length))
    const cut = fc
      .tuple(fc.constantFrom(...recordings), fc.nat(9000))
      .map(([text, end]) => text.slice(0, end))
    fc.assert(
      fc.property(fc.oneof(damaged, cut), (text) => checkSane(read(text, place))),
      { numRuns: 150 },
    )
  })
})

it('no entity of the text’s own is expanded', () => {
  expect(parseJunit(laughs, place)?.failures).toMatchObject([{ test: '&a29;', message: '&a29;' }])
})
