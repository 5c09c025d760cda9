import { expect, it } from 'vitest'
import { label } from '../../src/core/domain/identity.ts'
import { serveTrigger } from '../../src/runs/serve-trigger.ts'
import { createMemoryWorld } from '../faults/memory-world.ts'
import { task } from '../faults/scenarios.ts'

it.each([
  [true, 0],
  [false, 1],
])(
  'starts a task that another repository woke unless all is switched off: %s',
  async (isOff, runs) => {
    const world = createMemoryWorld({ roadmap: `# Plan\n\n${task('T-1', 'one')}` })
    const { repository } = world
    const labels = isOff ? [label.dashboard, label.stop] : [label.dashboard]
    repository.openIssue(repository.us, { title: 'Dashboard', body: '', labels })
    const { services } = world.start()
    const said: string[] = []
    const states = await serveTrigger(
      {
        trigger: { kind: 'run', only: ['T-1'], woken: true },
        ...{ dryRun: false, signal: new AbortController().signal },
        say: (sentence) => said.push(sentence),
      },
      services,
    )
    expect(states).toHaveLength(runs)
    expect(world.paid).toHaveLength(runs)
    expect(said).toEqual(isOff ? [expect.stringMatching(/^Switched off: #1 /)] : [])
  },
)
