import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseGoJson } from '../../results/go.ts'
import { parseMochaJson, parseRspec } from '../../results/json-reports.ts'
import { parseText } from '../../results/read-run.ts'
import type { Results, RunPlace } from '../../results/results.ts'
import { parseJunit, parseTrx } from '../../results/xml-reports.ts'

const sources = [
  'internal/calc/calc_test.go',
  'other/calc_test.go',
  'src/test/java/com/acme/SumTest.java',
  'app/src/test/kotlin/com/acme/SumTest.kt',
]

const rows: readonly (readonly [string, (text: string, place: RunPlace) => Results | null])[] = [
  ['go-1.19.jsonl', parseGoJson],
  ['maven-surefire-3.2.5.xml', parseJunit],
  ['gradle-8.xml', parseJunit],
  ['phpunit-9.6.xml', parseJunit],
  ['phpunit-9.6-empty.xml', parseJunit],
  ['ctest-3.25.xml', parseJunit],
  ['bun-1.4.xml', parseJunit],
  ['rspec-3.12.json', parseRspec],
  ['rspec-3.12-loading.json', parseRspec],
  ['mocha-11.json', parseMochaJson],
  ['dotnet-8.trx', parseTrx],
  ['minitest-5.15.txt', parseText],
  ['ava-3.tap', parseText],
  ['ava-6.tap', parseText],
  ['tap-21.tap', parseText],
  ['maven-compiler-3.13.0.txt', parseText],
  ['kotlin-2.txt', parseText],
  ['dotnet-8-build.txt', parseText],
  ['cargo-1.95-build.txt', parseText],
  ['gcc-12.txt', parseText],
  ['php-8.2-syntax.txt', parseText],
  ['ruby-3.1-syntax.txt', parseText],
  ['ruby-3.1-load.txt', parseText],
  ['mocha-11-loading.txt', parseText],
]

/** The parts that matter, on one line each. */
function show(results: Results | null): readonly string[] {
  const { counts = null, failures = [] } = results ?? {}
  return [
    counts === null ? 'unknown' : `${counts.passed} + ${counts.failed} + ${counts.skipped}`,
    ...failures.map(
      ({ test, file, line, errorType, message, expected, actual, trace }) =>
        `${test} | ${file}:${line} | ${errorType} | ${message.replaceAll('\n', '⏎')} | ${actual} ≠ ${expected} | ${trace.join(' ')}`,
    ),
  ]
}

it.each(rows)('%s', async (name, parse) => {
  const text = readFileSync(join(import.meta.dirname, '../recordings', name), 'utf8')
  const place = { folder: '/project', directory: '.', sources }
  const shown = show(parse(text, place)).join('\n')
  await expect(shown).toMatchFileSnapshot(`../recordings/read/${name}.txt`)
})
