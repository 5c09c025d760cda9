import { expect, test } from 'vitest'
import { missingRoadmap, suggestRoadmap } from '../../src/tasks/missing-roadmap.ts'
import { someSettings } from '../fakes/facts.ts'
import { createMemoryWorkspace } from '../fakes/memory-workspace.ts'

test.each<[readonly string[], string]>([
  [['roadmap.md', 'a.js'], '; did you mean --roadmap roadmap.md?'],
  [['TODO.md'], '; did you mean --roadmap TODO.md?'],
  [['.github/plan.md'], '; did you mean --roadmap .github/plan.md?'],
  [
    ['todo.md', 'docs/ROADMAP.md'],
    '; did you mean --roadmap docs/ROADMAP.md or --roadmap todo.md?',
  ],
  [['src/todo.md', 'test/fixtures/ROADMAP.md', 'roadmap.ts'], ''],
  [[], ''],
])('of %j it suggests %j', (paths, hint) => expect(suggestRoadmap(paths)).toBe(hint))

test.each([
  [{}, 'There is no ROADMAP.md in the base commit; did you mean --roadmap plan.md?'],
  [
    { 'ROADMAP.md': '120000' as const },
    'There is no text at ROADMAP.md in the base commit: it is a link; did you mean --roadmap plan.md?',
  ],
  [{ 'ROADMAP.md': '100644' as const }, /: it is not UTF-8, or too large; did you mean/],
])('of a commit with %j', async (modes, message) => {
  const files = Object.entries({ 'plan.md': '100644' as const, ...modes })
  const workspace = createMemoryWorkspace({ files: {} })
  const listFiles = async () => files.map(([path, mode]) => ({ path, mode, size: 1 }))
  const ports = { workspace: { ...workspace, listFiles }, settings: someSettings() }
  expect((await missingRoadmap('a', ports)).message).toMatch(message)
})
