/** Small repositories with one task each, for prompts as they really are. */
type PromptProject = Readonly<Record<string, string>> & { readonly 'ROADMAP.md': string }

const roadmap = (task: string): string => `# Roadmap\n\n## Phase 1: Text\n\n${task}`

const nodeManifest =
  '{\n  "name": "texts",\n  "type": "module",\n  "scripts": { "test": "node --test" }\n}\n'

const words = "export const words = (text) => text.split(/\\s+/).filter((word) => word !== '')\n"

const wordsTest = `import assert from 'node:assert/strict'
import test from 'node:test'
import { words } from '../src/words.js'

test('splits at spaces', () => assert.deepEqual(words(' a  b '), ['a', 'b']))
`

const node = (task: string, more: Readonly<Record<string, string>> = {}): PromptProject => ({
  'ROADMAP.md': roadmap(task),
  'package.json': nodeManifest,
  'src/words.js': words,
  'test/words.test.js': wordsTest,
  ...more,
})

export const projects = {
  javascript: node(`- [ ] **T-1**: Add a function that turns a title into a slug
  - Lower case, words joined by hyphens, everything else left out.
  - **Files**: \`src/slug.js\`, \`test/slug.test.js\`
`),
  python: {
    'ROADMAP.md': roadmap(`- [ ] **T-1**: Count the words of a text, in \`text/count.py\`
  - Words are separated by any white space.
`),
    'pyproject.toml': '[project]\nname = "text"\nrequires-python = ">=3.11"\n',
    'text/__init__.py': '',
    'text/lines.py': 'def lines(text):\n    return text.splitlines()\n',
    'tests/test_lines.py':
      'from text.lines import lines\n\n\ndef test_splits():\n    assert lines("a\\nb") == ["a", "b"]\n',
  },
  go: {
    'ROADMAP.md': roadmap('- [ ] **T-1**: Add a `Reverse` function beside `Upper`\n'),
    'go.mod': 'module example.com/text\n\ngo 1.22\n',
    'text/upper.go':
      'package text\n\nimport "strings"\n\nfunc Upper(s string) string {\n\treturn strings.ToUpper(s)\n}\n',
  },
  tests: node('- [ ] **T-1**: Test `words` with an empty text, in `test/words.test.js`\n'),
  configuration: node(
    '- [ ] **T-1**: Add a `lint` script to `package.json` that runs `eslint .`\n',
  ),
  script: node('- [ ] **T-1**: Write `bin/release.sh`, which tags the version of package.json\n'),
  document: node('- [ ] **T-1**: Explain `words` in the README, with an example\n', {
    'README.md': '# Texts\n\nFunctions for texts.\n',
  }),
} satisfies Record<string, PromptProject>

/** A file of 300 lines with an error in the middle. */
export const longFile = Array.from({ length: 300 }, (_, n) =>
  n === 150
    ? 'export function slugOf(title { return title.toLowerCase() }'
    : `export const entry${n} = { name: 'entry ${n}', weight: ${n} }`,
).join('\n')

export const slugFailure = {
  test: 'slug > joins words by hyphens',
  file: 'test/slug.test.js',
  line: 5,
  message: "Expected values to be strictly equal:\n\n'a b' !== 'a-b'\n",
  expected: "'a-b'",
  actual: "'a b'",
  errorType: 'AssertionError',
  trace: ['test/slug.test.js:5', 'src/slug.js:2'],
}
