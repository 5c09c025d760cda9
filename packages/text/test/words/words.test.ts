import { expect, it } from 'vitest'
import { firstSentence } from '../../words/words.ts'

it.each<[name: string, prose: string, said: string]>([
  ['nothing', '', ''],
  ['one sentence', 'Adds `halve` with a test.', 'Adds `halve` with a test.'],
  ['the first of several', 'Adds halve. It divides by two.\nAnd more.', 'Adds halve.'],
  [
    'a sentence over two lines',
    'Adds halve,\nwhich divides by two. Done.',
    'Adds halve, which divides by two.',
  ],
  ['no end', 'Adds halve and a test', 'Adds halve and a test'],
  [
    'points within words',
    'Changes src/a.js to v1.2 e.g. for users. More.',
    'Changes src/a.js to v1.2 e.g. for users.',
  ],
  ['a greeting', 'Sure! Adds a small function.', 'Adds a small function.'],
  ['an announcement', "Here's the change:\n\nAdds a small function.", 'Adds a small function.'],
  [
    'thinking aloud',
    'We need to add halve. Let me see. Adds a small function.',
    'Adds a small function.',
  ],
  ['nothing but announcements', 'Okay.\nHere is the code:\n', ''],
  [
    'a heading and a list',
    '## Summary\n\n- Adds a small function\n- Adds a test',
    'Adds a small function',
  ],
  ['a name of a file', 'src/a.js', ''],
  ['tags, tables, quotes and data', '<think>\n| a b c d |\n> one two three\n{"a": "b c d"}', ''],
  ['a long sentence', `Adds ${'word '.repeat(40)}`, 'Adds word word word word word word word …'],
  ['one endless word', 'x'.repeat(10_000), ''],
])('of %s', (_, prose, said) => {
  expect(firstSentence(prose, 42)).toBe(said)
})

it('is quick on long and hostile text', () => {
  for (const text of ['. '.repeat(50_000), '#'.repeat(100_000), 'A. B. '.repeat(30_000)]) {
    expect(firstSentence(text, 200).length).toBeLessThanOrEqual(200)
  }
})
