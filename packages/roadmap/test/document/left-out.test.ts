import { describe, expect, it, test } from 'vitest'
import { tickTask } from '../../document/edit-roadmap.ts'
import { readRoadmap } from '../../document/read-roadmap.ts'

const statuses = (text: string) => readRoadmap(text).tasks.map(({ status }) => status)
const notesOn = (text: string) =>
  readRoadmap(text).problems.flatMap(({ rule, line }) => (rule === 'left-out-task' ? [line] : []))

describe('a task that its own words take out', () => {
  test.each([
    ['~~Add it~~', 'cancelled'],
    ['~~Add it~~ (deferred)', 'cancelled'],
    ['~~**Phase 4**: Add it~~ *(deferred)*', 'cancelled'],
    ['~~Add it~~ — not needed', 'cancelled'],
    ['~~Add it~~ → see T-4', 'cancelled'],
    ['~~Add it~~ replace with T-4', 'cancelled'],
    ['**~~Add it~~**', 'cancelled'],
    ['~Add it~', 'cancelled'],
    ['T-7: ~~Add it~~', 'cancelled'],
    ['~~T-7: Add it~~ #12', 'cancelled'],
    ['<del>Add it</del>', 'cancelled'],
    ['~~Add\n  it~~', 'cancelled'],
    ['Add it (dropped)', 'cancelled'],
    ["Add it (won't do: too slow)", 'cancelled'],
    ['Add it — cancelled', 'cancelled'],
    ['Add it (deferred)', 'blocked'],
    ['Add it (deferred to v2)', 'blocked'],
    ['Add it *(on hold)*', 'blocked'],
    ['[postponed] Add it', 'blocked'],
    ['Anlegen (zurückgestellt)', 'blocked'],
    ['添加页面（x） (搁置)', 'blocked'],
  ])('%j is %s', (words, status) => {
    const text = `- [ ] Open\n- [ ] ${words}\n`
    expect(statuses(text)).toEqual(['pending', status])
    expect(notesOn(text)).toEqual([2])
    expect(statuses(`- [x] ${words}`)).toEqual(['done'])
    expect(notesOn(`- [x] ${words}`)).toEqual([])
  })

  test.each([
    '~~Add a list~~ Add a table',
    'Add ~~a list~~ a table',
    '~~Add a list~~ → Add a table',
    'Remove `~/.a` and `~/.b`',
    'Remove the cache (obsolete)',
    'Remove the API (no longer needed)',
    'Add deferred loading',
    'Add a page (deferred loading)',
    'Handle rejected promises',
    'Skipped: count such tests',
    'Show who is blocked',
  ])('%j is open', (words) => {
    expect(statuses(`- [ ] ${words}`)).toEqual(['pending'])
    expect(notesOn(`- [ ] ${words}`)).toEqual([])
  })

  it('is left alone when its parent is ticked', () => {
    const text = '- [ ] T-1: a\n  - [ ] b\n  - [ ] ~~c~~\n'
    const [task] = readRoadmap(text).tasks
    expect(task?.subtasks.map(({ status }) => status)).toEqual(['pending', 'cancelled'])
    expect(task && tickTask(text, task)).toMatchObject({
      text: '- [x] T-1: a\n  - [x] b\n  - [ ] ~~c~~\n',
    })
  })
})

describe('work under a heading or label', () => {
  test.each([
    ['## Out of scope', 'cancelled'],
    ['## 5. Out of Scope (for v1)', 'cancelled'],
    ['## Out of scope — for now', 'cancelled'],
    ["## Won't do", 'cancelled'],
    ['## Won’t do / not planned', 'cancelled'],
    ['## 🚫 Non-goals', 'cancelled'],
    ['Rejected\n---', 'cancelled'],
    ['## ~~Phase 3~~', 'cancelled'],
    ['## Phase 3: Sync (cancelled)', 'cancelled'],
    ['## Nicht geplant', 'cancelled'],
    ['## Hors périmètre', 'cancelled'],
    ['## Fuera de alcance', 'cancelled'],
    ['## 範囲\n\n## スコープ外', 'cancelled'],
    ['## ❄️ Icebox', 'blocked'],
    ['## Icebox / decide later', 'blocked'],
    ['## Deferred to v2', 'blocked'],
    ['## Phase 3 (on hold)', 'blocked'],
    ['## Zurückgestellt', 'blocked'],
    ['## 搁置', 'blocked'],
    ['**Out of scope:**', 'cancelled'],
    ['Parking lot:', 'blocked'],
  ])('%j is %s', (heading, status) => {
    const text = `## A\n- [ ] a\n\n${heading}\n\n- [ ] b\n- [x] c\n\n## B\n- [ ] d\n`
    expect(statuses(text)).toEqual(['pending', status, 'done', 'pending'])
    expect(notesOn(text)).toHaveLength(1)
  })

  test.each([
    '## Blocked-user list',
    '## Deferred loading',
    '## Waiting for the server',
    '## Later',
    '## Backlog',
    '## Scope',
    '**Rejected promises:**',
  ])('%j stays open', (heading) => {
    expect(statuses(`${heading}\n\n- [ ] b`)).toEqual(['pending'])
  })

  it('includes the headings and items below it, and is named once', () => {
    const text =
      '# R\n## Icebox\n### Ideas\n- [ ] a\n### More\n- [ ] b\n## C\n- Dropped\n  - [ ] c\n- [ ] d'
    expect(statuses(text)).toEqual(['blocked', 'blocked', 'cancelled', 'pending'])
    expect(notesOn(text)).toEqual([2, 8])
  })
})
