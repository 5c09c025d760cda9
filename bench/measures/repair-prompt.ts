import type { Row } from '../row.ts'
import { edit, file, smallProject } from '../scenarios.ts'
import { promptTokens, type Scenario, workToTheEnd } from '../work.ts'
import type { Workshop } from '../workshop.ts'

const functions = 50

const step = (
  index: number,
  plus = `${index}`,
  end = '}\n',
) => `/** Twice the value, and ${index}. */
export function step${index}(value) {
  const doubled = value * 2
  return doubled + ${plus}
${end}`

/** Fifty functions of six lines, one of which is given. */
const moduleWith = (middle: string) =>
  Array.from({ length: functions }, (_, index) => (index === 24 ? middle : step(index))).join('\n')

const test = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { step3, step24 } from '../src/steps.js'

test('the third step', () => assert.equal(step3(1), 5))
test('the step in the middle', () => assert.equal(step24(1), 26))
`

/** What is asked when something is wrong in the middle of a file of 300 lines. */
export async function measureRepairPrompt(workshop: Workshop): Promise<readonly Row[]> {
  const body = (plus: number) => `export function step24(value) {
  const doubled = value * 2
  return doubled + ${plus}`
  const mistakes = [
    {
      figure: 'repair prompt, a brace is missing in a 300-line file',
      scenario: repairScenario(step(24, '24', ''), body(24), `${body(24)}\n}`),
    },
    {
      figure: 'repair prompt, a test fails on a 300-line file',
      scenario: repairScenario(step(24, '25'), body(25), body(24)),
    },
  ]
  const rows: Row[] = []
  for (const { figure, scenario } of mistakes) {
    const { requests } = await workToTheEnd(workshop, 'executor', scenario)
    const measured = promptTokens(requests.slice(1))
    rows.push({ figure, unit: 'tokens', measured, limit: 600 })
  }
  return rows
}

function repairScenario(middle: string, search: string, replace: string): Scenario {
  const draft = file('src/steps.js', moduleWith(middle)) + file('test/steps.test.js', test)
  const roadmap = '# Roadmap\n\n- [ ] T-1: Add fifty steps\n  - **Files**: `src/steps.js`\n'
  return {
    name: 'a mistake in 300 lines',
    files: { ...smallProject, 'ROADMAP.md': roadmap },
    task: 'Add fifty steps',
    answers: { executor: [draft, edit('src/steps.js', search, replace)], floor: [] },
  }
}
