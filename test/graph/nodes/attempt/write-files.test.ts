import { describe, expect, it } from 'vitest'
import { attemptOf } from '../../../../src/core/domain/attempt.ts'
import type { ChangeSet } from '../../../../src/core/domain/change-set.ts'
import type { DiffEntry, Workspace } from '../../../../src/core/ports/workspace.ts'
import { repairCode } from '../../../../src/graph/nodes/attempt/repair-code.ts'
import { validateCode } from '../../../../src/graph/nodes/attempt/validate-code.ts'
import { writeFiles } from '../../../../src/graph/nodes/attempt/write-files.ts'
import { fakePorts } from '../../../fakes/facts.ts'
import { createScriptedModel } from '../../../fakes/scripted-model.ts'
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
    expect(step.outcome).toBe('unfit')
    expect(workspace.filesIn('T-1')).toEqual(workspace.filesAt(base.sha))
  })

  const refusals: readonly [string, string, string | null][] = [
    ['a folder is a file', 'src/a is not a directory', 'write'],
    ['the name is there in another case', 'something of this name is there', 'write'],
    ['the name is too long', 'the name is too long (ENAMETOOLONG)', 'write'],
    ['a parent is a link', 'src/a is a symlink', 'write'],
    ['nobody may write there', 'permission denied (EACCES)', 'write_denied'],
    ['the file changed', 'the file changed under us', null],
  ]
  it.each(refusals)('where %s', async (_, reason, type) => {
    const other = { action: 'create', path: 'src/other.js', content: '' } as const
    const { workspace, state } = await underWay([...greeting, other])
    const refusing: Workspace = {
      ...workspace,
      write: async () => ({ status: 'refused', path: 'src/greet.js', reason }),
    }
    const step = await writeFiles(state, fakePorts({ workspace: refusing }))
    const after = attemptAfter(step)
    if (type === null) {
      expect(step.outcome).toBe('refused')
      expect(after.failure).toMatchObject({ at: 'refused', message: `src/greet.js: ${reason}` })
      expect(after.draft?.changes).toHaveLength(2)
      return
    }
    expect(step.outcome).toBe('unfit')
    expect(after.problems).toMatchObject([{ path: 'src/greet.js', type }])
    expect(after.problems[0]?.message).toContain(reason)
    expect(after.draft?.changes).toEqual([other])
    const spent = { ...state, attempt: { ...attemptOf(state), validationRepairs: 2 } }
    const last = await writeFiles(spent, fakePorts({ workspace: refusing }))
    expect(last.outcome).toBe('refused')
  })

  it('asks for a file again that git ignores, and knows when it was of use', async () => {
    const { workspace, state } = await underWay(greeting)
    const blind = { ...workspace, diff: async () => [] }
    const unfit = await writeFiles(state, fakePorts({ workspace: blind }))
    expect(unfit.outcome).toBe('unfit')
    expect(attemptAfter(unfit).problems[0]?.message).toContain('git ignores it')
    const moved = greeting.map((change) => ({ ...change, path: 'src/hello.js' }))
    const answer = "src/hello.js\n```js\nexport const greet = () => 'hello'\n```\n"
    const ports = fakePorts({
      workspace,
      model: createScriptedModel([answer]),
      syntax: { check: async () => ({ status: 'unavailable', reason: '' }) },
    })
    const task = { ...attemptAfter(unfit).task, files: [] }
    const open = { ...state, attempt: { ...attemptAfter(unfit), task } }
    const asked = await repairCode(open, ports)
    expect(attemptAfter(asked).draft?.changes).toEqual(moved)
    const valid = await validateCode({ ...open, ...asked.patch }, ports)
    expect(valid.outcome).toBe('valid')
    expect(attemptAfter(valid).remedies).toMatchObject([{ strategy: 'ask_again', worked: null }])
    const written = await writeFiles({ ...open, ...valid.patch }, ports)
    expect(written.outcome).toBe('written')
    expect(attemptAfter(written).remedies).toMatchObject([{ worked: true }])
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
