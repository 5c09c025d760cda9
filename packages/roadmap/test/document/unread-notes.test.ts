import { describe, expect, it, test } from 'vitest'
import { readRoadmap } from '../../document/read-roadmap.ts'

const notesOn = (text: string, granularity: 'task' | 'leaf' = 'task') =>
  readRoadmap(text, { granularity })
    .problems.filter(({ rule }) => rule === 'unread-box')
    .map(({ line, message }) => `${line} ${/check box(?:es)? (.*), which/.exec(message)?.[1]}`)

describe('a box that is no task is named', () => {
  test.each([
    ['- [] Add it', '1 with a mistake'],
    ['- [ ]Add it', '1 with a mistake'],
    ['- [x]Add it', '1 with a mistake'],
    ['- [  ] Add it', '1 with a mistake'],
    ['- [ x ] Add it', '1 with a mistake'],
    ['- [?] Add it', '1 with a mistake'],
    ['- [>] Add it', '1 with a mistake'],
    ['- [o] Add it', '1 with a mistake'],
    ['- [✓] Add it', '1 with a mistake'],
    ['- [✅] Add it', '1 with a mistake'],
    ['- [⏳] Add it', '1 with a mistake'],
    ['- [х] Add it', '1 with a mistake'],
    ['- ［ ］ Add it', '1 with a mistake'],
    ['- \\[ \\] Add it', '1 with a mistake'],
    ['- ( ) Add it', '1 with a mistake'],
    ['- **[ ] Add it**', '1 with a mistake'],
    ['- [ ][Add it](/url)', '1 with a mistake'],
    ['- Add it [ ]', '1 with a mistake'],
    ['- <input type="checkbox" disabled> Add it', '1 with a mistake'],
    ['- &#9744; Add it', '1 with a mistake'],
    ['1. [] Add it', '1 with a mistake'],
    ['7) [ ]Add it', '1 with a mistake'],
    ['- Group\n  - [] Add it', '2 with a mistake'],
    ['-\t[] Add it', '1 with a mistake'],
    ['-[ ] Add it', '1 with a mistake'],
    ['*[ ] Add it', '1 with a mistake'],
    ['1.[x] Add it', '1 with a mistake'],
    ['•[ ] Add it', '1 with a mistake'],
    ['- [ ] \n', '1 without words'],
    ['- []', '1 without words'],
    ['[ ] Add it', '1 outside a list'],
    ['[] Add it\n[x] Drop it', '1 outside a list'],
    ['• [ ] Add it', '1 outside a list'],
    ['– [ ] Add it', '1 outside a list'],
    ['Words\n2. [ ] Add it', '2 outside a list'],
    ['- [ ] Add it\n  [ ] Drop it', '2 outside a list'],
    ['> - [ ] Add it', '1 in a block quote'],
    ['> [!NOTE]\n> * [ ] Add it\n>\n> 1. [x] Drop it', '2 in a block quote'],
    ['- Words\n  > - [ ] Add it', '2 in a block quote'],
    ['> ```\n> - [ ] Add it\n> ```', '2 in a block quote'],
    ['```[tasklist]\n- [ ] Add it\n- [~] Drop it\n```', '2 in code'],
    ['~~~\n- [ ] Add it\n\n# b\n\n- [ ] c', '2 in code'],
    ['Words\n\n    - [ ] Add it', '3 in code'],
    ['<details>\n- [ ] Add it\n</details>', '2 in HTML'],
    ['<ul>\n<li><input type="checkbox"> Add it</li>\n</ul>', '2 in HTML'],
    ['<!--\n\n- [ ] Add it', '3 in HTML'],
    ['| Task | Tests |\n|---|---|\n| [ ] Add it | yes |\n| - [x] Drop it | |', '3 in a table'],
    ['## [ ] Add it', '1 in a heading'],
    ['### Add it [x]', '1 in a heading'],
    ['- # [ ] Add it', '1 in a heading'],
    ['[ ] Add it\n---', '1 in a heading'],
    ['[^1]: Words\n\n    - [ ] Add it', '3 in a footnote'],
    [
      '# R\n## A\n- [ ] a\n\n**Expected outcomes:**\n- [ ] Faster',
      '6 among success criteria or details',
    ],
    ['- Expected outcomes\n  - [ ] Faster', '2 among success criteria or details'],
  ])('%j', (text, note) => {
    expect(notesOn(text)[0]).toBe(note)
    expect(notesOn(text.replaceAll('\n', '\r\n'))[0]).toBe(note)
  })

  it('once for each quote, fence or table, and once for each line of a list', () => {
    const quote = '> - [ ] a\n> - [ ] b\n'
    const text = `${quote}\n${quote}\n- [] c\n- [] d\n`
    expect(notesOn(text).map((note) => note.slice(0, 1))).toEqual(['1', '4', '7', '8'])
    const [first] = readRoadmap(text).problems
    expect(first?.message).toBe(
      'Lines 1 to 2 have 2 check boxes in a block quote, which are no tasks.',
    )
  })
})

describe('no box is named', () => {
  test.each([
    '- [ ] Add it\n  - [x] a part\n- [~] b\n* [-] c\n1. [!] d',
    '- [Add it](/url) now',
    '- [x](/url) now',
    '- [x]: /url',
    '- [^1] Words\n- [1] Words\n- [RFC] Words\n- [日本] Words',
    '- [[Wiki]] words',
    '- […] and so on',
    '> [!NOTE]\n> Words [ ] and more',
    '```ts\nconst list = []\n[x] = list\n```',
    '```yaml\nitems:\n  - []\n```',
    '<!-- - [ ] Add it -->',
    '<!--\n- [ ] Add it\n-->',
    '- Use `[ ]` for a box\n- `- [ ]` is a box',
    '| a | b |\n|---|---|\n| list[ ] | [] |',
    'An array [ ] of words, or `- [ ] this`.',
    '- ~~[] Add it~~',
    '- [ ] a\n\n## Success criteria\n- [ ] Faster',
  ])('%j', (text) => expect(notesOn(text)).toEqual([]))

  it('where leaves are the tasks, and the boxes above them are not', () => {
    expect(notesOn('- [ ] a\n  - [ ] b', 'leaf')).toEqual([])
  })
})
