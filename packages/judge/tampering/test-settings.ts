import { posix } from 'node:path'
import { contentAfter, type FileChange } from '../../change/change.ts'
import { positionAt, testSettings } from '../../source/source.ts'
import { parseJson } from '../../text/text.ts'

interface LooserSetting {
  readonly line: number
  readonly what: string
}

/** Marks that are a fault when they are new; some only in a line about tests. */
const marks: readonly (readonly [pattern: RegExp, what: string, needsTest?: 'needs test'])[] = [
  [
    /--updateSnapshot\b|--update-snapshots?\b|--snapshot-update\b|(?:jest|vitest|ava)\b[^"'\n]*\s-u\b/,
    'snapshots are rewritten whenever the tests run',
  ],
  [
    /--passWithNoTests\b|\bpassWithNoTests["']?\s*[:=]\s*true/,
    'a run without tests counts as a pass',
  ],
  [
    /\|\|\s*(?:true|:|exit 0|echo\b)|;\s*(?:exit 0|true)\s*(?:["']|$)|--(?:exit-zero|force-exit-zero)\b|^\t-(?=\S)/,
    'a failing test command counts as a pass',
    'needs test',
  ],
  [
    /testPathIgnorePatterns|modulePathIgnorePatterns|--(?:ignore|deselect|ignore-glob)\b|collect_ignore|norecursedirs|grepInvert|testIgnore|--exclude\b|-k\s+["']?not\b|-m\s+["']?not\b|<exclude>/,
    'tests are excluded',
  ],
  [/^\s*["']?exclude["']?\s*:/, 'tests are excluded', 'needs test'],
  [
    /\b(?:skipTests|maven\.test\.skip|testFailureIgnore|ignoreFailures)\b\s*(?:>|=)?\s*(?:true)?/,
    'failing tests are ignored',
  ],
]

const aboutTests =
  /\b(?:test|tests|spec|jest|vitest|mocha|pytest|tox|unittest|ava|tap|check|verify|cargo|gradlew?|mvn|rspec|phpunit|go test)\b|\.(?:test|spec)\./i
const vitest = /(?:^|\/)(?:vitest|jest)\b/

const longestLine = 2000

/**
 * Finds what a changed test setup newly lets through: commands that cannot fail, rewritten
 * snapshots, excluded tests, lowered thresholds, a removed test script.
 */
export function looserSettings(change: FileChange): readonly LooserSetting[] {
  const { path } = change
  if (change.action === 'create' || !testSettings.test(path)) return []
  const [before, after] = [change.before, contentAfter(change) ?? '']
  return [
    ...newMarks(path, before, after),
    ...lowerThresholds(before, after),
    ...(posix.basename(path) === 'package.json' ? lostScripts(before, after) : []),
    ...fewerPlaces(before, after),
  ]
}

function newMarks(path: string, before: string, after: string): readonly LooserSetting[] {
  const had = before.split('\n').map((line) => line.trim())
  const lines = after.split('\n')
  return marks.flatMap(([pattern, what, needsTest]) => {
    const [were, are] = [had, lines].map((texts) => texts.filter((line) => pattern.test(line)))
    const isMore = (were?.length ?? 0) < (are?.length ?? 0)
    return lines.flatMap((line, index) => {
      if (line.length > longestLine || had.includes(line.trim()) || !pattern.test(line)) return []
      const isAbout = aboutTests.test(line) || vitest.test(path) || nearTest(lines, index)
      if (needsTest && !isAbout) return []
      const isSame = !isMore && were?.some((each) => partsOf(each) >= partsOf(line))
      return isSame ? [] : [{ line: index + 1, what }]
    })
  })
}

/** Counts what a line excludes. */
const partsOf = (line: string): number => line.split(',').length

/** Returns true for a recipe line whose target is one of tests. */
const nearTest = (lines: readonly string[], index: number): boolean => {
  const target = lines.slice(0, index).findLast((line) => /^[\w.-]+[ \t]*:(?!=)/.test(line))
  return lines[index]?.startsWith('\t') === true && /^(?:test|check)/.test(target ?? '')
}

const threshold =
  /\b(branches|functions|lines|statements|fail_under|cov-fail-under|minimum_coverage|minimum|check-coverage|threshold|min_coverage|target|line-coverage)\b["']?\s*(?:[:=]|\s)\s*["']?(\d{1,3}(?:\.\d+)?)%?/g

const places = /\b(testMatch|testRegex|testpaths|testDir|spec|roots)\b["']?\s*[:=]\s*(.{1,500})$/g

/** Finds names and their values in the lines of a text. */
const namedIn = (text: string, form: RegExp) =>
  text
    .split('\n')
    .flatMap((line, index) =>
      (line.length > longestLine ? [] : [...line.matchAll(form)]).map(
        ([, name = '', value = '']) => ({ name, value, line: index + 1 }),
      ),
    )

function lowerThresholds(before: string, after: string): readonly LooserSetting[] {
  if (!/cov|threshold|nyc|c8/i.test(before)) return []
  const is = namedIn(after, threshold)
  const was = Map.groupBy(namedIn(before, threshold), ({ name }) => name)
  return [...was].flatMap(([name, [old]]) => {
    const now = is.find((each) => each.name === name)
    const [had, has] = [Number(old?.value), Number(now?.value)]
    if (now === undefined)
      return [{ line: 1, what: `the coverage threshold ${name} (${had}) was removed` }]
    const what = `the coverage threshold ${name} was lowered from ${had} to ${has}`
    return has >= had ? [] : [{ line: now.line, what }]
  })
}

function fewerPlaces(before: string, after: string): readonly LooserSetting[] {
  const is = namedIn(after, places)
  return namedIn(before, places).flatMap(({ name, value }) => {
    const now = is.find((each) => each.name === name)
    if (now === undefined) return []
    const [had, has] = [partsIn(value), partsIn(now.value)]
    const lost = had.filter((entry) => !has.includes(entry))
    const what = `${name} no longer includes ${lost.join(', ')}`
    return lost.length > 0 && has.length < had.length ? [{ line: now.line, what }] : []
  })
}

const partsIn = (list: string): readonly string[] =>
  list.split(/[\s,[\]"']+/).filter((entry) => entry !== '')

const runsNothing =
  /^\s*(?:echo\b[^&|;]*|true|:|exit 0|node -e ["']{0,2})?\s*(?:&&\s*(?:exit 0|true))?\s*$/

function lostScripts(before: string, after: string): readonly LooserSetting[] {
  const is = new Map(testScripts(after))
  return testScripts(before).flatMap(([name, script]) => {
    const now = is.get(name)
    if (now === undefined)
      return name === 'test' ? [{ line: 1, what: 'the test script was removed' }] : []
    if (runsNothing.test(script) || !runsNothing.test(now)) return []
    const { line } = positionAt(after, after.indexOf(`"${name}"`))
    return [{ line, what: `the script ${name} no longer runs anything` }]
  })
}

function testScripts(text: string): readonly (readonly [name: string, script: string])[] {
  const scripts: unknown = Reflect.get(Object(parseJson(text)), 'scripts')
  return Object.entries(Object(scripts)).flatMap(([name, script]) =>
    /test|check|ci|verify/.test(name) && typeof script === 'string' ? [[name, script]] : [],
  )
}
