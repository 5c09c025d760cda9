import { describe, expect, it } from 'vitest'
import type { ChangeSet } from '../../../src/domain/change-set.ts'
import { writeFiles } from '../../../src/nodes/attempt/write-files.ts'
import type { DiffEntry } from '../../../src/ports.ts'
import { fakePorts } from '../../fakes/facts.ts'
import { aDraft, attemptAfter, greeting, taskUnderWay } from '../bench.ts'

const underWay = (changes: ChangeSet) => taskUnderWay({ attempt: { draft: aDraft({ changes }) } })

describe('write_files', () => {
  it('writes the change set into the folder of the task', async () => {
    const { workspace, state } = await underWay(greeting)
    const step = await writeFiles(state, fakePorts({ workspace }))
    expect(step).toEqual({ outcome: 'written' })
    expect(workspace.filesIn('T-1')['src/greet.js']).toBe("export const greet = () => 'hello'\n")
  })

  it('starts from a clean folder, however an earlier attempt left it', async () => {
    const { workspace, state, base } = await underWay(greeting)
    await workspace.checkOut('T-1', base.sha)
    workspace.disturb('T-1', 'src/left-over.js', '')
    await writeFiles(state, fakePorts({ workspace }))
    expect(workspace.filesIn('T-1')).not.toHaveProperty('src/left-over.js')
  })

  it('writes all or nothing', async () => {
    const changes: ChangeSet = [
      ...greeting,
      { action: 'create', path: 'src/index.js', content: 'there already' },
    ]
    const { workspace, state, base } = await underWay(changes)
    const step = await writeFiles(state, fakePorts({ workspace }))
    expect(step.outcome).toBe('refused')
    expect(attemptAfter(step).failure).toMatchObject({
      at: 'refused',
      message: expect.stringContaining('src/index.js'),
    })
    expect(workspace.filesIn('T-1')).toEqual(workspace.filesAt(base.sha))
  })

  const added: DiffEntry = {
    status: 'added',
    path: 'src/greet.js',
    oldPath: 'src/greet.js',
    oldMode: '000000',
    newMode: '100644',
  }
  it.each<[string, readonly DiffEntry[]]>([
    ['holds more', [added, { ...added, path: 'src/more.js', oldPath: 'src/more.js' }]],
    ['holds less', []],
    ['made it a program', [{ ...added, newMode: '100755' }]],
    ['made it a link', [{ ...added, newMode: '120000' }]],
  ])('refuses when the real diff %s, and throws the folder away', async (_, diff) => {
    const { workspace, state } = await underWay(greeting)
    const lying = { ...workspace, diff: async () => diff }
    const step = await writeFiles(state, fakePorts({ workspace: lying }))
    expect(step.outcome).toBe('refused')
    expect(attemptAfter(step).failure?.problems).not.toEqual([])
    expect(workspace.folder('T-1')).toBeNull()
  })
})
