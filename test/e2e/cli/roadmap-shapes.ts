/** Plans in forms that people and their tools write them in, each worded anew. */

export interface Shape {
  readonly it: string
  readonly text: string
  /** Open tasks in document order: how the title begins, and that of what it waits for. */
  readonly open: readonly (readonly [title: string, ...after: readonly string[]])[]
  /** Ids that the document gives. */
  readonly ids?: readonly string[]
}

export const shapes: readonly Shape[] = [
  {
    it: 'tasks of phases, some side by side',
    text: `# Tasks: Ferry timetable

**Input**: design documents of the ferry timetable

## Phase 1: Setup

- [x] T001 Create the folders of the project
- [ ] T002 [P] Configure the linter in \`eslint.config.js\`

## Phase 2: Timetable (depends on Phase 1)

- [ ] T003 Read departures in \`src/departures.ts\`
- [ ] T004 Show the next ferry in \`src/next.ts\` (depends on T003)

**Checkpoint**: the next ferry is shown
`,
    open: [
      ['Configure'],
      ['Read departures', 'Configure'],
      ['Show the next', 'Read departures', 'Configure'],
    ],
    ids: ['T-002', 'T-003', 'T-004'],
  },
  {
    it: 'numbers with parts, and requirements below',
    text: `# Implementation Plan

- [x] 1. Set up the greenhouse
  - Create the folder of sensors
  - _Requirements: 1.1_
- [ ] 2. Measure
- [ ] 2.1 Read the temperature in \`src/temperature.ts\`
  - Average over a minute
  - _Requirements: 2.1, 2.2_
- [ ] 2.2 Warn of frost in \`src/frost.ts\`
  - Requires 2.1
`,
    open: [['2. Measure'], ['Read the temperature'], ['Warn of frost', 'Read the temperature']],
  },
  {
    it: 'phases in a list, told of in sections below',
    text: `# Roadmap: Bakery

## Phases

- [x] **Phase 1: Dough** - Flour and water
- [ ] **Phase 2: Oven** - Heat

## Phase Details

### Phase 1: Dough
**Goal**: Dough rises
**Depends on**: Nothing

Plans:
- [x] 01-01: Mix flour and water

### Phase 2: Oven
**Goal**: Bread is baked
**Depends on**: Phase 1
**Success Criteria** (what must be TRUE):
  1. The crust is brown

Plans:
- [ ] 02-01: Heat the oven in \`src/oven.py\`
- [ ] 02-02: Bake in \`src/bake.py\`
`,
    open: [['Phase 2: Oven', '02-01: Heat', '02-02: Bake'], ['02-01: Heat'], ['02-02: Bake']],
  },
  {
    it: 'keys of a tracker',
    text: `# Sprint 7

- [ ] ENG-41: Store the votes in \`src/votes.go\`
- [ ] ENG-42: Count them in \`src/count.go\` — blocked by ENG-41
- [ ] #17 Draw the result, needs ENG-42
`,
    open: [
      ['Store the votes'],
      ['Count them', 'Store the votes'],
      ['Draw the result', 'Count them'],
    ],
    ids: ['ENG-41', 'ENG-42', 'T-17'],
  },
  {
    it: 'sections with a status and dependencies',
    text: `# Quests

### Quest 1: Find the map
**Status**: ✅ done

### Quest 2: Cross the river
**Status**: ⏳ pending
**Dependencies**: Quest 1

Build \`src/raft.rs\`.

### Quest 3: Climb the hill
**Status**: ⏳ pending
**Dependencies**: Quest 2
`,
    open: [['Quest 2: Cross'], ['Quest 3: Climb', 'Quest 2: Cross']],
  },
  {
    it: 'text that is not indented, and lines that repeat',
    text: `# Plan

- [ ] Task 1: Write the letter
**Files**: \`src/letter.rb\`
Two pages at most.

- [ ] Task 2: Send the letter
**Depends on**: Task 1

- [ ] Write tests
- [ ] Write tests
`,
    open: [['Task 1: Write'], ['Task 2: Send', 'Task 1: Write'], ['Write tests']],
  },
  {
    it: 'signs, dates and a table',
    text: `# Status

- ✅ Choose a colour
- ⏳ Paint the door, \`src/door.js\`
- 📅 Hang the sign

| # | Task | Status | Depends on |
|---|---|---|---|
| 1 | Lay the floor | ✅ | |
| 2 | Sand the stairs | ⏳ | 1 |
| 3 | Sweep the stairs | ⏳ | 1, 2 |
| 4 | Lay the carpet | someday | 3 |
`,
    open: [
      ['Paint the door'],
      ['Hang the sign'],
      ['2. Sand the stairs'],
      ['3. Sweep the stairs', '2. Sand the stairs'],
    ],
  },
  {
    it: 'items with dates and priorities',
    text: `## Inbox

1. [ ] Water the plants 📅 2026-05-01 ⏫
2. [x] Buy soil ✅ 2026-04-02
3. [ ] Repot the fern (after Water the plants)
`,
    open: [['Water the plants'], ['Repot the fern', 'Water the plants']],
  },
]
