import { expect, it } from 'vitest'
import { anAttempt, aTask, someSettings } from '../../../../test/fakes/facts.ts'
import { openPolicyGate } from '../../gate/gate.ts'

const task = aTask({ files: ['src/a.js'] })
const grants = ['package-lock.json', 'docs/a.md', 'ROADMAP.md'].map((path) => ({ path, by: 'ada' }))

it.each([
  ['src/a.js', ''],
  ['package-lock.json', ''],
  ['docs/a.md', ''],
  ['docs/b.md', 'scope'],
  ['Package-Lock.json', 'protected'],
  ['yarn.lock', 'protected'],
  // The roadmap defines the work, so no grant covers it.
  ['ROADMAP.md', 'protected'],
])('a task with grants may change %s: %j', (path, refused) => {
  const gate = openPolicyGate({ files: [] }, anAttempt({ task, grants }), someSettings())
  const problems = gate.check([{ action: 'create', path, content: '{}\n' }])
  expect(problems.map(({ type }) => type).join()).toBe(refused)
})
