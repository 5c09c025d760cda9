import { describe, expect, it, test } from 'vitest'
import { readRoadmap } from '../../document/read-roadmap.ts'

const plan = `# Plan
## Phase 1: Start
### 1.1 A
- [x] T001 one
### 1.2 B
- [ ] T002 two
## Phase 2: Go on
### 2.1 C
- [ ] T003 three
- [ ] ENG-7: seven
- [ ] ENG-8: eight
## Phase 3: End
### 3.1 D
- [ ] T010 ten
`
const first = ['T-001', 'T-002', 'T-003']
const others = [...first, 'ENG-7', 'ENG-8', 'T-010']

function ofLast(text: string) {
  const { tasks, problems } = readRoadmap(text)
  const rules = problems.flatMap(({ rule }) => (/dependency/.test(rule) ? [rule] : []))
  return { dependsOn: tasks.at(-1)?.dependsOn, rules }
}

describe('a tag means every task that has it', () => {
  const stories = `# Tasks
- [ ] T001 [P] Set up
## Phase 3: User Story 1 - Read (Priority: P1)
- [ ] T002 [P] [US1] Read
- [ ] T003 [US1] Test it
## Phase 4: User Story 2 - Write
- [ ] T004 [US2] Write
## Phase 5: User Story 3 - Show
`
  test.each([
    ['US1', ['T-002', 'T-003']],
    ['T001, US2', ['T-001', 'T-004']],
    ['US1–US2', ['T-002', 'T-003', 'T-004']],
    ['US1-US2', ['T-002', 'T-003', 'T-004']],
    ['User Story 1', ['T-002', 'T-003']],
    ['User Story 1, US2', ['T-002', 'T-003', 'T-004']],
  ])('%j', (value, dependsOn) => {
    const found = ofLast(`${stories}- [ ] T005 [US3] Show it (depends on ${value})\n`)
    expect(found).toEqual({ dependsOn, rules: [] })
  })

  it('of no task is unknown', () => {
    const found = ofLast(`${stories}- [ ] T005 [US3] Show it (depends on US9)\n`)
    expect(found).toEqual({ dependsOn: [], rules: ['unknown-dependency'] })
  })
})

describe('a range means every task in it', () => {
  test.each([
    ['T001-T003', first],
    ['T001..T003', first],
    ['T001...T003', first],
    ['T001–T003', first],
    ['T001 – T003', first],
    ['T001 - T003', first],
    ['T001 → T003', first],
    ['T001 to T003', first],
    ['T001 through T003', first],
    ['T001 bis T003', first],
    ['T-001-T-003', first],
    ['T-1..3', first],
    ['T001-003', first],
    ['`T001`-`T003`', first],
    ['T001-T003, ENG-7..ENG-8', [...first, 'ENG-7', 'ENG-8']],
    ['all of T001-T002 and T003', first],
    ['ENG-7 through ENG-8', ['ENG-7', 'ENG-8']],
    ['1.1-1.2', ['T-001', 'T-002']],
    ['sections 1.1 to 1.2', ['T-001', 'T-002']],
    ['Phases 1-2', [...first, 'ENG-7', 'ENG-8']],
    ['Phase 1 – 3', others],
    ['all Phase 1-2 tasks', [...first, 'ENG-7', 'ENG-8']],
  ])('%j', (value, ids) => {
    expect(ofLast(`${plan}- [ ] T-99 last\n  - **Depends on**: ${value}\n`)).toEqual({
      dependsOn: ids,
      rules: [],
    })
    expect(ofLast(`${plan}- [ ] T-99 last (depends on ${value})\n`)).toEqual({
      dependsOn: ids,
      rules: [],
    })
    expect(ofLast(`${plan}- [ ] T-99 last — blocked by ${value}\n`).dependsOn).toEqual(ids)
  })

  test.each(['T001-T012', 'T003-T001', 'T001 to ENG-8', 'T1-T999999999', 'T001-T003 except T002'])(
    '%j, which does not fit, is named',
    (value) => {
      const { rules } = ofLast(`${plan}- [ ] T-99 last (depends on ${value})\n`)
      expect(rules).toContain('unknown-dependency')
    },
  )

  test.each(['Node 18-20', 'Python 3.10-3.12', '2-3 days of work', '2026-01-05'])(
    'but no words for people: %j',
    (value) => {
      const text = `${plan}- [ ] T-99 last\n  - **Prerequisite**: ${value}\n`
      expect(ofLast(text)).toEqual({ dependsOn: [], rules: [] })
    },
  )
})

describe('a place in the document names tasks', () => {
  test.each([
    ['the previous task', ['T-010']],
    ['previous', ['T-010']],
    ['The task above.', ['T-010']],
    ['the preceding step', ['T-010']],
    ['all of the above', others],
    ['everything above', others],
    ['All above tasks', others],
    ['all previous tickets', others],
    ['the previous steps', others],
    ['all tasks before this', others],
    ['all other tasks', others],
    ['everything else', others],
    ['the previous phase', [...first.slice(2), 'ENG-7', 'ENG-8']],
    ['all previous phases', [...first, 'ENG-7', 'ENG-8']],
    ['all previous sections', [...first, 'ENG-7', 'ENG-8']],
    ['the previous section complete', ['T-003', 'ENG-7', 'ENG-8']],
  ])('%j', (value, ids) => {
    expect(ofLast(`${plan}- [ ] T-99 last (depends on ${value})\n`)).toEqual({
      dependsOn: ids,
      rules: [],
    })
  })

  it('for each task of a phase', () => {
    const text = `${plan}## Phase 4\n> **Prerequisite**: all other tasks\n\n- [ ] T-98 a\n- [ ] T-99 b\n`
    const { tasks, problems } = readRoadmap(text)
    expect(tasks.slice(-2).map(({ dependsOn }) => dependsOn)).toEqual([others, others])
    expect(problems).toEqual([])
  })

  it('in a phrase of a sentence', () => {
    expect(ofLast('- [ ] T-1 a\n- [ ] T-2 b (after the previous task)').dependsOn).toEqual(['T-1'])
  })

  it.each(['the previous task', 'all of the above except T-1', 'all three test jobs'])(
    'or is named, where there is none: %j',
    (value) => {
      expect(ofLast(`- [ ] T-1 a\n  - Depends on: ${value}\n`).rules).toEqual([
        'unknown-dependency',
      ])
    },
  )
})
