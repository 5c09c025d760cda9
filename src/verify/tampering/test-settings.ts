import { posix } from 'node:path'
import { parseJson } from '../../core/parse-json.ts'

/** A setting of the tests that lets more through than before. */
export interface LooserSetting {
  readonly line: number
  readonly what: string
}

const configured =
  /(?:^|\/)(?:package\.json|(?:jest|vitest|vite|playwright|cypress|karma|ava|wtr|web-test-runner)(?:\.[\w-]+)*\.[cm]?[jt]s(?:on)?|vitest\.workspace\.\w+|\.mocharc(?:\.\w+)?|\.nycrc(?:\.json)?|\.c8rc(?:\.json)?|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|noxfile\.py|conftest\.py|\.coveragerc|phpunit\.xml(?:\.dist)?|\.rspec|\.simplecov|codecov\.ya?ml|\.codecov\.ya?ml|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|Rakefile|[Mm]akefile|GNUmakefile|[Jj]ustfile|Taskfile\.ya?ml)$|(?:^|\/)(?:scripts?|bin|ci)\/[^/]*(?:test|check|ci)[^/]*$/

export const isTestSetting = (path: string): boolean => configured.test(path)

/** Marks of a command line or a configuration that are a fault where they are new. */
const marks: readonly {
  readonly pattern: RegExp
  readonly what: string
  readonly needsTest: boolean
}[] = [
  {
    pattern:
      /--updateSnapshot\b|--update-snapshots?\b|--snapshot-update\b|(?:jest|vitest|ava)\b[^"'\n]*\s-u\b/,
    what: 'snapshots are rewritten whenever the tests run',
    needsTest: false,
  },
  {
    pattern: /--passWithNoTests\b|\bpassWithNoTests["']?\s*[:=]\s*true/,
    what: 'no tests count as a pass',
    needsTest: false,
  },
  {
    pattern:
      /\|\|\s*(?:true|:|exit 0|echo\b)|;\s*(?:exit 0|true)\s*(?:["']|$)|--(?:exit-zero|force-exit-zero)\b|^\t-(?=\S)/,
    what: 'a failing test command counts as a pass',
    needsTest: true,
  },
  {
    pattern:
      /testPathIgnorePatterns|modulePathIgnorePatterns|--(?:ignore|deselect|ignore-glob)\b|collect_ignore|norecursedirs|grepInvert|testIgnore|--exclude\b|-k\s+["']?not\b|-m\s+["']?not\b|<exclude>/,
    what: 'tests are left out',
    needsTest: false,
  },
  { pattern: /^\s*["']?exclude["']?\s*:/, what: 'tests are left out', needsTest: true },
  {
    pattern:
      /\b(?:skipTests|maven\.test\.skip|testFailureIgnore|ignoreFailures)\b\s*(?:>|=)?\s*(?:true)?/,
    what: 'failing tests are ignored',
    needsTest: false,
  },
]

const aboutTests =
  /\b(?:test|tests|spec|jest|vitest|mocha|pytest|tox|unittest|ava|tap|check|verify|cargo|gradlew?|mvn|rspec|phpunit|go test)\b|\.(?:test|spec)\./i
const vitest = /(?:^|\/)(?:vitest|jest)\b/

/**
 * What a change of a test set-up lets through that it did not before: commands that cannot fail,
 * snapshots rewritten, tests left out, thresholds lowered, a test script that is gone.
 */
export function looserSettings(
  path: string,
  before: string,
  after: string,
): readonly LooserSetting[] {
  return [
    ...newMarks(path, before, after),
    ...lowerThresholds(before, after),
    ...(posix.basename(path) === 'package.json' ? lostScripts(before, after) : []),
    ...fewerPlaces(before, after),
  ]
}

function newMarks(path: string, before: string, after: string): readonly LooserSetting[] {
  const known = Map.groupBy(linesOf(before), (line) => line)
  const lines = after.split('\n')
  return marks.flatMap(({ pattern, what, needsTest }) =>
    lines.flatMap((line, index) => {
      if (line.length > 2000 || known.has(line.trim()) || !pattern.test(line)) return []
      const isAbout = aboutTests.test(line) || vitest.test(path) || nearTest(lines, index)
      if (needsTest && !isAbout) return []
      const had = linesOf(before).filter((each) => pattern.test(each))
      const has = lines.filter((each) => pattern.test(each))
      const isSame = had.length >= has.length && had.some((each) => partsOf(each) >= partsOf(line))
      return isSame ? [] : [{ line: index + 1, what }]
    }),
  )
}

/** How much a line leaves out. */
const partsOf = (line: string): number => line.split(',').length

/** A line of a recipe, the nearest target above it being one of tests. */
const nearTest = (lines: readonly string[], index: number): boolean => {
  const target = lines.slice(0, index).findLast((line) => /^[\w.-]+[ \t]*:(?!=)/.test(line))
  return lines[index]?.startsWith('\t') === true && /^(?:test|check)/.test(target ?? '')
}

const linesOf = (text: string): readonly string[] => text.split('\n').map((line) => line.trim())

const threshold =
  /\b(branches|functions|lines|statements|fail_under|cov-fail-under|minimum_coverage|minimum|check-coverage|threshold|min_coverage|target|line-coverage)\b["']?\s*(?:[:=]|\s)\s*["']?(\d{1,3}(?:\.\d+)?)%?/g

function lowerThresholds(before: string, after: string): readonly LooserSetting[] {
  const was = thresholdsOf(before)
  const is = thresholdsOf(after)
  const isCoverage = /cov|threshold|nyc|c8/i.test(before)
  return [...was].flatMap(([name, [old]]) => {
    const now = is.get(name)?.[0]
    if (old === undefined || !isCoverage) return []
    if (now === undefined)
      return [{ line: 1, what: `the coverage threshold ${name} (${old.value}) is gone` }]
    if (now.value >= old.value) return []
    return [
      {
        line: now.line,
        what: `the coverage threshold ${name} was lowered from ${old.value} to ${now.value}`,
      },
    ]
  })
}

function thresholdsOf(text: string) {
  const found = text.split('\n').flatMap((line, index) =>
    line.length > 2000
      ? []
      : [...line.matchAll(threshold)].map(([, name = '', value = '']) => ({
          name,
          value: Number(value),
          line: index + 1,
        })),
  )
  return Map.groupBy(found, ({ name }) => name)
}

function lostScripts(before: string, after: string): readonly LooserSetting[] {
  const was = testScripts(before)
  const is = testScripts(after)
  return Object.entries(was).flatMap(([name, script]) => {
    const now = is[name]
    if (now === undefined)
      return name === 'test' ? [{ line: 1, what: 'the test script is gone' }] : []
    const isEmpty =
      /^\s*(?:echo\b[^&|;]*|true|:|exit 0|node -e ["']{0,2})?\s*(?:&&\s*(?:exit 0|true))?\s*$/
    if (isEmpty.test(script) || !isEmpty.test(now)) return []
    return [{ line: lineOf(after, `"${name}"`), what: `the script ${name} runs nothing any more` }]
  })
}

function testScripts(text: string): Readonly<Record<string, string>> {
  const scripts: unknown = Reflect.get(Object(parseJson(text)), 'scripts')
  const entries = scripts instanceof Object ? Object.entries(scripts) : []
  return Object.fromEntries(
    entries.filter(
      ([name, value]) => /test|check|ci|verify/.test(name) && typeof value === 'string',
    ),
  )
}

const lineOf = (text: string, part: string): number =>
  text.slice(0, Math.max(0, text.indexOf(part))).split('\n').length

const places = /\b(testMatch|testRegex|testpaths|testDir|spec|roots)\b["']?\s*[:=]\s*(.{1,500})$/

/** Fewer of the places where tests are looked for. */
function fewerPlaces(before: string, after: string): readonly LooserSetting[] {
  const was = placesIn(before)
  const is = placesIn(after)
  return was.flatMap(({ name, entries }) => {
    const now = is.find((each) => each.name === name)
    if (now === undefined) return []
    const lost = entries.filter((entry) => !now.entries.includes(entry))
    const isNarrower = lost.length > 0 && now.entries.length < entries.length
    return isNarrower
      ? [{ line: now.line, what: `${name} no longer holds ${lost.join(', ')}` }]
      : []
  })
}

function placesIn(text: string) {
  return text.split('\n').flatMap((line, index) => {
    const [, name, list = ''] = (line.length > 2000 ? null : places.exec(line)) ?? []
    const entries = list.split(/[\s,[\]"']+/).filter((entry) => entry !== '')
    return name === undefined ? [] : [{ name, entries, line: index + 1 }]
  })
}
