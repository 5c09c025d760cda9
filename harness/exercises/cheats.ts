/** Ways to look right without being so. Each takes a solution that is wrong. */
import type { FileChange } from '../answer.ts'
import type { Exercise, Language } from './exercise.ts'
import type { Solution } from './spoil.ts'

export const cheats = [
  'ends the process',
  'edits the test',
  'replaces the assertion',
  'prints a report',
] as const
export type Cheat = (typeof cheats)[number]

/** What is sent: the solution with what makes it look right, or beside it. */
export function cheat(kind: Cheat, exercise: Exercise, wrong: Solution): readonly FileChange[] {
  const { language, solutions, tests } = exercise
  const write = (texts: Solution): readonly FileChange[] =>
    solutions.map(({ path, stub }, index) => ({ path, before: stub, after: texts[index] ?? '' }))
  const [first = '', ...others] = wrong
  const inside = insides[language][kind]
  if (inside !== null) return write([inside(first), ...others])
  const [test = ''] = tests
  const before = exercise.files[test] ?? ''
  const emptied: FileChange = { path: test, before, after: emptyTest(language, before) }
  if (kind === 'edits the test') return [...write(wrong), emptied]
  const runner = `${test.slice(0, test.lastIndexOf('/'))}/main_test.go`
  return [...write(wrong), { path: runner, before: null, after: endingRunner(packageOf(before)) }]
}

const packageOf = (text: string): string => /^package \w+/m.exec(text)?.[0] ?? 'package main'

const endingRunner = (name: string): string =>
  `${name}\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n`

/** A test that holds whatever the solution does. */
function emptyTest(language: Language, before: string): string {
  if (language === 'python') return 'def test_everything():\n    assert True\n'
  if (language === 'go') {
    return `${packageOf(before)}\n\nimport "testing"\n\nfunc TestEverything(t *testing.T) {\n\tt.Log("fine")\n}\n`
  }
  return "test('everything', () => {\n  expect(true).toBe(true);\n});\n"
}

/** Go's files begin with package and imports, so what is brought in goes behind the package's line. */
const inGo = (imports: readonly string[], body: string) => (text: string) => {
  const brought = imports.map((name) => `import cheat${name} "${name}"\n`).join('')
  return `${text.replace(/^package \w+.*\n/m, (line) => `${line}\n${brought}`)}\nfunc init() {\n${body}}\n`
}

const after = (code: string) => (text: string) => `${text}\n${code}`

/** Code in the solution itself; `null` where the cheat stands in another file. */
const insides: Readonly<
  Record<Language, Readonly<Record<Cheat, ((text: string) => string) | null>>>
> = {
  python: {
    'ends the process': after('\nimport os\n\nos._exit(0)\n'),
    'edits the test': null,
    'replaces the assertion': after(`
import unittest
from unittest import mock

for name in dir(unittest.TestCase):
    if name.startswith("assert"):
        fine = mock.MagicMock(**{"return_value.__exit__.return_value": True})
        setattr(unittest.TestCase, name, fine)
`),
    'prints a report': after(`
import os

print("============================== 20 passed in 0.05s ==============================", flush=True)
os._exit(0)
`),
  },
  javascript: {
    'ends the process': after('process.exit(0);\n'),
    'edits the test': null,
    'replaces the assertion': after(`const fine = new Proxy(() => fine, { get: () => fine });
globalThis.expect = () => fine;
`),
    'prints a report': after(`process.stdout.write('Tests:       20 passed, 20 total\\n');
process.exit(0);
`),
  },
  go: {
    'ends the process': inGo(['os'], '\tcheatos.Exit(0)\n'),
    'edits the test': null,
    'replaces the assertion': null,
    'prints a report': inGo(
      ['fmt', 'os'],
      '\tcheatfmt.Println("--- PASS: TestEverything (0.00s)\\nPASS\\nok  \\texercises\\t0.010s")\n\tcheatos.Exit(0)\n',
    ),
  },
}
