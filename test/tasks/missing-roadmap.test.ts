import { expect, test } from 'vitest'
import { suggestRoadmap } from '../../src/tasks/missing-roadmap.ts'

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
