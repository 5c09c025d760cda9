import { expect, it } from 'vitest'
import { lintProposal } from '../../../src/recovery/task/lint-proposal.ts'

const proposed = [{ id: 'T-1-a', title: '', details: [], files: [] }]
const others = '- [ ] T-2: Make everything work better\n'

it.each([
  ['a clean task, whatever stands beside it', '- [ ] T-1-a: Add `src/user.ts`', null],
  ['one that says nothing', '- [ ] T-1-a: Make everything better', /names no file/],
  ['one that is several', `- [ ] T-1-a: Add \`a.ts\`${', and more'.repeat(7)}`, /several tasks/],
  ['one that cannot be read', 'Add `src/user.ts`', /cannot be read/],
])('lint of new tasks: %s', (_, line, said) => {
  const found = lintProposal(`${line}\n${others}`, proposed, 'task')
  if (said === null) expect(found).toBeNull()
  else expect(found).toMatch(said)
})
