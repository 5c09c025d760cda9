import { expect, it } from 'vitest'
import { chooseTests, findCandidates } from '../../proof/choose-tests.ts'
import type { TestReport } from '../../results/test-report.ts'

const tree = new Map(
  Object.entries({
    'src/sum.js': 'export const add = 1\n',
    'test/near.test.js': "test('near', () => {})\n",
    'test/sum.test.js': "import '../src/sum.js'\ntest('adds', () => {})\n// and more\n",
    'test/all.test.js': "import '../src/sum.js'\ntest('all', () => {})\n",
    'test/ends.test.js': "import '../src/sum.js'\ntest('ends', () => process.exit(0))\n",
    'test/only.test.js': "import '../src/sum.js'\ntest.only('one', () => {})\n",
  }),
)

const change = (path: string) => {
  const before = tree.get(path)
  const content = path.startsWith('test') ? "test('new', () => {})\n" : 'export const add = 2\n'
  return before === undefined
    ? ({ action: 'create', path, content } as const)
    : ({ action: 'modify', path, before, content } as const)
}

const told = (...titles: string[]) => ({ commands: [{ titles }] }) as unknown as TestReport

it.each<[name: string, changed: string[], after: TestReport | null, chosen: string[]]>([
  [
    'loads the change, small ones first',
    ['src/sum.js'],
    null,
    ['test/all.test.js', 'test/sum.test.js'],
  ],
  ['ran', ['src/sum.js'], told('adds', 'near'), ['test/sum.test.js']],
  ['is of the change', ['test/new.test.js'], null, ['test/new.test.js']],
  ['is of the change, and ran', ['test/new.test.js'], told('new', 'near'), ['test/new.test.js']],
  ['is near, where none other ran', ['test/new.test.js'], told('near'), ['test/near.test.js']],
  [
    'is near, where none loads the change',
    ['other.js'],
    told('near', 'ends'),
    ['test/near.test.js'],
  ],
  [
    'was not reported by name, and is unchanged',
    ['src/sum.js'],
    told(),
    ['test/all.test.js', 'test/sum.test.js'],
  ],
  [
    'could be compared, where no name was told',
    ['test/sum.test.js'],
    told(),
    ['test/near.test.js', 'test/all.test.js'],
  ],
])('what %s is chosen', async (_, changed, after, chosen) => {
  const changes = changed.map(change)
  const texts = new Map([...tree, ...changes.map(({ path, content }) => [path, content] as const)])
  const candidates = await findCandidates({
    changes,
    paths: [...texts.keys()],
    read: async (paths) => new Map(paths.map((path) => [path, texts.get(path) ?? ''])),
  })
  const found = await chooseTests(candidates, after)
  expect(found.map(({ path }) => path)).toEqual(chosen)
})
