import type { Draft, FileChange } from '../../../../packages/change/change.ts'
import { isTestFile, languageOf } from '../../../../packages/source/source.ts'
import type { Task } from '../../../../packages/task/task.ts'
import { fenced, pathsIn } from '../../../../packages/text/text.ts'
import type { AnswerForm } from '../../../core/domain/answer-form.ts'
import type { ContextFile } from '../../../core/domain/attempt.ts'
import type { Message } from '../../../core/ports/model.ts'
import { showFiles } from '../compose-prompt.ts'

/** A worked example of another, invented repository: an edit, and usually a new file. */
export interface Lesson {
  readonly task: string
  readonly path: string
  readonly before: string
  readonly search: string
  readonly replace: string
  readonly fresh?: { readonly path: string; readonly task: string; readonly text: string }
}

/** @param text with «marks» around what the edit replaces */
function edit(task: string, path: string, text: string, replace: string): Lesson {
  return { task, path, before: text.replace(/[«»]/g, ''), search: markedIn(text), replace }
}

const markedIn = (text: string): string => /«([^»]*)»/.exec(text)?.[1] ?? ''

/** A repaired function and a module beside it. */
const mend = (path: string, text: string, replace: string, freshPath: string, fresh: string) => ({
  ...edit(`${path}: total must add the prices up.`, path, text, replace),
  fresh: {
    path: freshPath,
    task: `Write ${freshPath}, which rounds a price to cents.`,
    text: fresh,
  },
})

export const codeLessons = {
  javascript: mend(
    'lib/price.js',
    'export function total(prices) {\n«  return prices.length»\n}\n',
    '  return prices.reduce((sum, price) => sum + price, 0)',
    'lib/round.js',
    'export const round = (price) => Math.round(price * 100) / 100\n',
  ),
  typescript: mend(
    'lib/price.ts',
    'export function total(prices: number[]): number {\n«  return prices.length»\n}\n',
    '  return prices.reduce((sum, price) => sum + price, 0)',
    'lib/round.ts',
    'export const round = (price: number): number => Math.round(price * 100) / 100\n',
  ),
  python: mend(
    'shop/price.py',
    'def total(prices):\n«    return len(prices)»\n',
    '    return sum(prices)',
    'shop/rounding.py',
    'def to_cents(price):\n    return round(price, 2)\n',
  ),
  go: mend(
    'shop/price.go',
    'package shop\n\nfunc Total(prices []int) int {\n«\treturn len(prices)»\n}\n',
    '\tsum := 0\n\tfor _, price := range prices {\n\t\tsum += price\n\t}\n\treturn sum',
    'shop/round.go',
    'package shop\n\nimport "math"\n\nfunc Round(price float64) float64 {\n\treturn math.Round(price*100) / 100\n}\n',
  ),
  rust: mend(
    'src/price.rs',
    'pub fn total(prices: &[f64]) -> f64 {\n«    prices.len() as f64»\n}\n',
    '    prices.iter().sum()',
    'src/round.rs',
    'pub fn round(price: f64) -> f64 {\n    (price * 100.0).round() / 100.0\n}\n',
  ),
  java: mend(
    'src/main/java/shop/Price.java',
    'package shop;\n\nclass Price {\n    static double total(double... prices) {\n«        return prices.length;»\n    }\n}\n',
    '        return java.util.Arrays.stream(prices).sum();',
    'src/main/java/shop/Rounding.java',
    'package shop;\n\nclass Rounding {\n    static double round(double price) {\n        return Math.round(price * 100) / 100.0;\n    }\n}\n',
  ),
  ruby: mend(
    'lib/price.rb',
    'def total(prices)\n«  prices.length»\nend\n',
    '  prices.sum',
    'lib/rounding.rb',
    'def to_cents(price)\n  price.round(2)\nend\n',
  ),
  php: mend(
    'src/Price.php',
    '<?php\n\nfunction total(array $prices): float\n{\n«    return count($prices);»\n}\n',
    '    return array_sum($prices);',
    'src/Rounding.php',
    '<?php\n\nfunction toCents(float $price): float\n{\n    return round($price, 2);\n}\n',
  ),
  csharp: mend(
    'Shop/Price.cs',
    'static class Price\n{\n«    public static double Total(double[] prices) => prices.Length;»\n}\n',
    '    public static double Total(double[] prices) => prices.Sum();',
    'Shop/Rounding.cs',
    'static class Rounding\n{\n    public static double ToCents(double price) => Math.Round(price, 2);\n}\n',
  ),
  c: mend(
    'src/price.c',
    'int total(const int *prices, int count)\n{\n«    return count;»\n}\n',
    '    int sum = 0;\n    for (int i = 0; i < count; i++)\n        sum += prices[i];\n    return sum;',
    'src/rounding.h',
    '#pragma once\n\ndouble to_cents(double price);\n',
  ),
} as const satisfies Record<string, Lesson>

type LessonLanguage = keyof typeof codeLessons

/** A case added after the existing one, nothing else touched. */
const addCase = (path: string, text: string, added: string): Lesson =>
  edit(`${path}: test that total of no prices is 0.`, path, text, markedIn(text) + added)

const nodeTest = addCase(
  'test/price.test.js',
  "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { total } from '../lib/price.js'\n\n«test('adds up', () => assert.equal(total([2, 3]), 5))»\n",
  "\n\ntest('is 0 without prices', () => assert.equal(total([]), 0))",
)

/** By language; `expect` is for JavaScript's other runners. */
export const testLessons = {
  javascript: nodeTest,
  typescript: nodeTest,
  expect: addCase(
    'test/price.test.js',
    "import { total } from '../lib/price.js'\n\ndescribe('total', () => {\n  it('adds up', () => {\n«    expect(total([2, 3])).toBe(5)\n  })»\n})\n",
    "\n\n  it('is 0 without prices', () => {\n    expect(total([])).toBe(0)\n  })",
  ),
  python: addCase(
    'tests/test_price.py',
    'from shop.price import total\n\n\ndef test_adds_up():\n«    assert total([2, 3]) == 5»\n',
    '\n\n\ndef test_is_zero_without_prices():\n    assert total([]) == 0',
  ),
  go: addCase(
    'shop/price_test.go',
    'package shop\n\nimport "testing"\n\nfunc TestAddsUp(t *testing.T) {\n\tif got := Total([]int{2, 3}); got != 5 {\n«\t\tt.Errorf("got %d, want 5", got)\n\t}\n}»\n',
    '\n\nfunc TestIsZeroWithoutPrices(t *testing.T) {\n\tif got := Total(nil); got != 0 {\n\t\tt.Errorf("got %d, want 0", got)\n\t}\n}',
  ),
  rust: addCase(
    'tests/price.rs',
    'use shop::total;\n\n#[test]\nfn adds_up() {\n«    assert_eq!(total(&[2.0, 3.0]), 5.0);\n}»\n',
    '\n\n#[test]\nfn is_zero_without_prices() {\n    assert_eq!(total(&[]), 0.0);\n}',
  ),
  java: addCase(
    'src/test/java/shop/PriceTest.java',
    'class PriceTest {\n    @Test\n    void addsUp() {\n«        assertEquals(5, Price.total(2, 3));\n    }»\n}\n',
    '\n\n    @Test\n    void isZeroWithoutPrices() {\n        assertEquals(0, Price.total());\n    }',
  ),
  ruby: addCase(
    'spec/price_spec.rb',
    "RSpec.describe '#total' do\n  it 'adds up' do\n«    expect(total([2, 3])).to eq(5)\n  end»\nend\n",
    "\n\n  it 'is 0 without prices' do\n    expect(total([])).to eq(0)\n  end",
  ),
  php: addCase(
    'tests/PriceTest.php',
    '<?php\n\nfinal class PriceTest extends TestCase\n{\n    public function testAddsUp(): void\n    {\n«        $this->assertSame(5, total([2, 3]));\n    }»\n}\n',
    '\n\n    public function testIsZeroWithoutPrices(): void\n    {\n        $this->assertSame(0, total([]));\n    }',
  ),
  csharp: addCase(
    'Shop.Tests/PriceTests.cs',
    'public class PriceTests\n{\n    [Fact]\n«    public void AddsUp() => Assert.Equal(5, Price.Total([2, 3]));»\n}\n',
    '\n\n    [Fact]\n    public void IsZeroWithoutPrices() => Assert.Equal(0, Price.Total([]));',
  ),
} as const satisfies Partial<Record<LessonLanguage | 'expect', Lesson>>

/** Configuration, scripts and documents, in which weak models lose a comma, an indent or a fence. */
export const otherLessons = {
  json: edit(
    'settings.json: set the time-out to 30 and add retries, 2.',
    'settings.json',
    '{\n  "port": 8080,\n«  "timeout": 10»\n}\n',
    '  "timeout": 30,\n  "retries": 2',
  ),
  yaml: edit(
    'settings.yml: also allow the host b.example.',
    'settings.yml',
    'server:\n  port: 8080\n  hosts:\n«    - a.example»\n',
    '    - a.example\n    - b.example',
  ),
  toml: edit(
    'settings.toml: set the time-out to 30 and add retries, 2.',
    'settings.toml',
    '[server]\nport = 8080\n«timeout = 10»\n',
    'timeout = 30\nretries = 2',
  ),
  script: {
    ...edit(
      'bin/pack.sh must stop at the first error.',
      'bin/pack.sh',
      '«#!/bin/sh»\ntar -czf out.tgz src\n',
      '#!/bin/sh\nset -eu',
    ),
    fresh: {
      path: 'bin/size.sh',
      task: 'Write bin/size.sh, which prints the size of out.tgz.',
      text: '#!/bin/sh\nset -eu\nwc -c < "out.tgz"\n',
    },
  },
  docs: {
    ...edit(
      'guide.md: correct the port to 8080.',
      'guide.md',
      '# Guide\n\n«The server listens on port 80.»\n',
      'The server listens on port 8080.',
    ),
    fresh: {
      path: 'usage.md',
      task: 'Write usage.md with the command that starts the server.',
      text: '# Usage\n\n```sh\nserve --port 8080\n```\n',
    },
  },
  style: edit(
    'site.css: make links green when the pointer is over them.',
    'site.css',
    'a {\n«  color: blue;\n}»\n',
    '  color: blue;\n}\n\na:hover {\n  color: green;\n}',
  ),
} as const satisfies Record<string, Lesson>

/**
 * Formats a request and its answer exactly like real ones. A weak model follows a turn that it seems to have taken
 * itself better than a description of a format.
 */
export function lessonTurns(lesson: Lesson, form: AnswerForm): readonly [Message, Message] {
  const { task, path, before, search, replace, fresh } = lesson
  const file: ContextFile = { path, text: before, whole: true }
  const edit = `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`
  const asked = fresh === undefined ? task : `${task} ${fresh.task}`
  const text = form === 'edits' ? edit : mended(lesson)
  const parts = [{ path, text }, ...(fresh ? [fresh] : [])]
  return [
    { role: 'user', content: `FILES\n${showFiles([file])}\n\nTASK: ${asked}` },
    {
      role: 'assistant',
      content: parts.map((part) => `${part.path}\n${fenced(part.text)}`).join('\n\n'),
    },
  ]
}

/** The file of a lesson as its answer leaves it. */
const mended = ({ before, search, replace }: Lesson): string =>
  before.replace(search, () => replace)

/** The same lesson with the edit only: for a repair, which needs no new file. */
export const editOnly = ({ fresh: _, ...lesson }: Lesson): Lesson => lesson

/**
 * Drops the parts of an answer that repeat the worked example verbatim, with a note; a change that only shares its
 * path stays.
 */
export function withoutEcho(draft: Draft, lesson: Lesson): Draft {
  const { path, search, fresh } = lesson
  const taught = new Map([
    [path, mended(lesson)],
    ...(fresh ? [[fresh.path, fresh.text] as const] : []),
  ])
  // A deletion has no content, and repeats nothing.
  const isEcho = (change: FileChange) =>
    change.action !== 'delete' && change.content === taught.get(change.path)
  const changes = draft.changes.filter((change) => !isEcho(change))
  const firstLine = search.split('\n')[0] ?? search
  const refusals = draft.refusals.filter(
    (refusal) => refusal.path !== path || !refusal.excerpt.includes(firstLine.trim()),
  )
  const isSame =
    changes.length === draft.changes.length && refusals.length === draft.refusals.length
  if (isSame) return draft
  const notes = [...draft.notes, 'the answer repeated the worked example, which was dropped']
  if (changes.length + refusals.length > 0) return { ...draft, changes, refusals, notes }
  const reason = 'The answer only repeats the worked example. Answer the last message.'
  return { ...draft, changes, refusals: [{ path: '', reason, excerpt: '' }], notes }
}

/** The basis of the choice; all of it is known before the model is asked. */
interface LessonInput {
  readonly task: Pick<Task, 'title' | 'details' | 'files'>
  readonly plan: { readonly files: readonly string[] } | null
  /** The project map: its facts name the language and the test runner. */
  readonly map: string
  readonly files: readonly { readonly path: string }[]
}

const kinds: Readonly<Record<string, keyof typeof otherLessons>> = {
  ...{ json: 'json', jsonc: 'json', yaml: 'yaml', toml: 'toml' },
  ...{ shell: 'script', dockerfile: 'script', makefile: 'script' },
  ...{ markdown: 'docs', text: 'docs', css: 'style', scss: 'style', less: 'style' },
}

/** Languages without a lesson of their own. */
const kin: Readonly<Record<string, LessonLanguage>> = {
  ...{ jsx: 'javascript', vue: 'javascript', svelte: 'javascript' },
  ...{ tsx: 'typescript', kotlin: 'java', cpp: 'c' },
}

function codeLanguageOf(path: string): LessonLanguage | undefined {
  const language = languageOf(path)
  return language in codeLessons ? (language as LessonLanguage) : kin[language]
}

/** Words that show the subject of a task without a path; every other task is about code. */
export const aboutTests = /\b(?:tests?|specs?|coverage)\b/i
const aboutDocs = /\b(?:readme|docs?|document|documentation|changelog|guide|tutorial)\b/i
const aboutScripts = /\b(?:shell|bash|scripts?)\b/i

/**
 * Chooses the worked example nearest to this task: by the files it names, or else by the words of its title; in the
 * language of those files, of the code shown, or of the project.
 */
export function chooseLesson(input: LessonInput): Lesson {
  const { title, details, files } = input.task
  const named = [...files, ...pathsIn(`${title}\n${details}`), ...(input.plan?.files ?? [])]
  const code = named
    .filter((path) => !isTestFile(path))
    .map(codeLanguageOf)
    .find(Boolean)
  if (code !== undefined) return codeLessons[code]
  if (named.some((path) => isTestFile(path))) return testLesson(input, named)
  const other = named.map((path) => kinds[languageOf(path)]).find(Boolean)
  if (other !== undefined) return otherLessons[other]
  if (aboutTests.test(title)) return testLesson(input, named)
  if (aboutDocs.test(title)) return otherLessons.docs
  if (aboutScripts.test(title)) return otherLessons.script
  return codeLessons[languageFor(input, named)]
}

const named: ReadonlyMap<Lesson, string> = new Map([
  ...Object.entries(codeLessons).map(([name, lesson]) => [lesson, name] as const),
  ...Object.entries(testLessons).map(([name, lesson]) => [lesson, `tests, ${name}`] as const),
  ...Object.entries(otherLessons).map(([name, lesson]) => [lesson, name] as const),
])

/** `python`, `tests, go`, `docs`: for figures of what served. */
export const nameLesson = (lesson: Lesson): string => named.get(lesson) ?? 'other'

function testLesson(input: LessonInput, named: readonly string[]): Lesson {
  const language = languageFor(input, named)
  if (/script$/.test(language) && /\b(?:vitest|jest|mocha|bun test)\b/.test(input.map)) {
    return testLessons.expect
  }
  return language === 'c' ? codeLessons.c : testLessons[language]
}

/** The language of the named files, or else of most files shown, or else of the project's manifest. */
function languageFor({ files, map }: LessonInput, named: readonly string[]): LessonLanguage {
  const first = named.map(codeLanguageOf).find(Boolean)
  if (first !== undefined) return first
  const counts = new Map<LessonLanguage, number>()
  for (const language of files.flatMap(({ path }) => codeLanguageOf(path) ?? [])) {
    counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  return most?.[0] ?? languageOfProject(map)
}

function languageOfProject(map: string): LessonLanguage {
  if (/^go\.mod:/m.test(map)) return 'go'
  if (/^Cargo\.toml:/m.test(map)) return 'rust'
  if (/^(?:pyproject\.toml|requirements\.txt):/m.test(map)) return 'python'
  return /\btypescript\b/.test(map) ? 'typescript' : 'javascript'
}
