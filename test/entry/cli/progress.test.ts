import { describe, expect, it } from 'vitest'
import { changeState } from '../../../src/core/domain/change-state.ts'
import type { RunState } from '../../../src/core/domain/run-state.ts'
import type { TaskResult } from '../../../src/core/domain/verdict.ts'
import { showProgress } from '../../../src/entry/cli/progress.ts'
import { logProgress } from '../../../src/entry/observe/describe-step.ts'
import type { Observer } from '../../../src/graph/run-graph.ts'
import { untouchedResult } from '../../../src/roadmap/standing/untouched-result.ts'
import { anAttempt, aState, aTask, someSettings } from '../../fakes/facts.ts'

const settings = someSettings()
const bare = (line: string) => line.replace(/ +\(.*|^[^\w]+/g, '')

async function onTerminal(lines: string[]): Promise<Observer> {
  const terminal = {
    ...{ directory: '/', environment: {}, isTTY: false, print: () => {} },
    say: (line: string) => void lines.push(bare(line)),
    paint: (_: string, text: string) => text,
    redact: (text: string) => text,
  }
  return (await showProgress(terminal, settings)).observer
}

const inLog = async (lines: string[]): Promise<Observer> =>
  logProgress((line) => lines.push(bare(line)), settings)

const skipped = (id: string): Record<string, TaskResult> => ({
  [id]: untouchedResult(aTask({ id }), { verdict: 'skipped', reason: 'left-pad', thisRun: true }),
})

describe.each([
  ['on the terminal', onTerminal],
  ['in the log of the Action', inLog],
])('%s', (_, open) => {
  const under = aState({ attempt: anAttempt() })

  it('what the tests need is set up before the model is said to be asked', async () => {
    const lines: string[] = []
    const observer = await open(lines)
    observer.started?.('execute_task', under)
    observer.noticed?.('what the tests need is set up: npm install …')
    observer.asking?.()
    observer.asking?.()
    observer.finished?.('execute_task', 'drafted', under)
    const told = lines.filter((line) => line.includes('…'))
    expect(told).toEqual([
      'what the tests need is set up: npm install …',
      expect.stringMatching(/^T-1 asking .* for the change …$/),
    ])
  })

  it('a model that is not asked is not spoken of', async () => {
    const lines: string[] = []
    const observer = await open(lines)
    observer.started?.('execute_task', under)
    observer.finished?.('execute_task', 'not_prepared', changeState(under, { attempt: null }))
    observer.asking?.()
    expect(lines).toEqual([])
  })
})

it('in the log of the Action each task that is skipped has a line, once', async () => {
  const lines: string[] = []
  const observer = await inLog(lines)
  const end = (state: RunState) => {
    observer.started?.('decide_next', state)
    observer.finished?.('decide_next', 'go_on', state)
  }
  const before = skipped('T-0')
  const after = { ...before, ...skipped('T-1'), ...skipped('T-2') }
  observer.started?.('pick_task', aState({ tasks: { results: before } }))
  end(aState({ tasks: { results: after } }))
  end(aState({ tasks: { results: after } }))
  expect(lines.map((line) => line.replace(/\s.*/s, ''))).toEqual(['T-1', 'T-2'])
})
