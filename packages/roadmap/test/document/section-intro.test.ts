import { expect, it } from 'vitest'
import { describeRoadmap, readRoadmap } from '../../document/read-roadmap.ts'

const sample = '```js\nexport const isValid = (text) => text !== ""\n```'

it.each<[string, string, string | undefined]>([
  [
    'purpose and sample',
    `# Plan\n\n## Validation\n\nNo input is trusted.\n\n${sample}\n\n- [ ] T-1: Create \`validate.js\`\n`,
    `No input is trusted.\n\n${sample}`,
  ],
  [
    'a list of plain items',
    '## A\n\n- Fast\n- Small\n\n### Tasks\n\n- [ ] T-1: Do it\n',
    '- Fast\n\n- Small',
  ],
  [
    'the text of an outer heading, where the inner one has none',
    '## A\n\nIt is for people.\n\n### Tasks\n\n- [ ] T-1: Do it\n',
    'It is for people.',
  ],
  [
    'the text of the inner heading, where both have some',
    '## A\n\nOuter.\n\n### B\n\nInner.\n\n- [ ] T-1: Do it\n',
    'Inner.',
  ],
  [
    'not fields and labels',
    '## A\n\nFor people.\n\n**Depends on**: T-9\n\n**Tasks:**\n\n- [ ] T-1: Do it\n\n- [x] T-9: Old\n',
    'For people.',
  ],
  [
    'not the words of a whole document',
    '# Plan\n\nThis is our plan.\n\n- [ ] T-1: Do it\n',
    undefined,
  ],
  [
    'but its sample',
    `# Plan\n\nAs here:\n\n${sample}\n\n- [ ] T-1: Do it\n`,
    `As here:\n\n${sample}`,
  ],
  ['nothing without a heading', `${sample}\n\n- [ ] T-1: Do it\n`, undefined],
  ['nothing of another section', '## A\n\nOther.\n\n## B\n\n- [ ] T-1: Do it\n', undefined],
  ['no comments', '## A\n\n<!-- hidden -->\n\n- [ ] T-1: Do it\n', undefined],
])('a task knows the text above it: %s', (_, text, about) => {
  const { tasks } = readRoadmap(text)
  expect(tasks.find(({ id }) => id === 'T-1')?.about).toBe(about)
  expect(JSON.stringify(describeRoadmap(readRoadmap(text)).tasks)).not.toContain('"about"')
})

it('has the same identity whatever stands above it', () => {
  const [one, other] = ['One.', 'Other.'].map(
    (words) => readRoadmap(`## A\n\n${words}\n\n- [ ] Do it\n`).tasks[0],
  )
  expect([one?.id, one?.fingerprint]).toEqual([other?.id, other?.fingerprint])
})

const words = 'word '.repeat(400).trim()

it.each<[string, string, number]>([
  ['paragraphs', `${words}\n\n${words}\n\n${words}`, 2 * words.length + 2],
  ['a paragraph that is too long by itself', `${words} ${words} ${words}`, 0],
  [
    'a comment that begins before the limit',
    `${words}\n\n${words.slice(9)} <!-- ${words} -->`,
    words.length,
  ],
])(
  'gets the beginning of a long text in whole blocks, and a note says so: %s',
  (_, text, length) => {
    const { tasks, problems } = readRoadmap(`## A\n\n${text}\n\n- [ ] T-1: Do it\n`)
    expect(tasks[0]?.about).toHaveLength(length)
    const said = `only the first ${length.toLocaleString('en')} characters`
    expect(problems).toMatchObject([
      { rule: 'unread-text', line: 3, message: expect.stringContaining(said) },
    ])
  },
)

it.each(['Expected behaviour', 'Expected Behavior', 'Success criteria'])(
  'takes no boxes under %j for tasks',
  (heading) => {
    const text = `## A\n\n- [ ] T-1: Do it\n\n### ${heading}\n\n- [ ] It is fast\n`
    const { tasks, problems } = readRoadmap(text)
    expect(tasks.map(({ id }) => id)).toEqual(['T-1'])
    expect(problems.map(({ rule }) => rule)).toContain('unread-text')
  },
)
