import { describe, expect, it } from 'vitest'
import { type ChangeSet, changesOf } from '../../../../packages/change/change-set.ts'
import type { DiffEntry } from '../../../../packages/change/trees.ts'
import type { SandboxRun } from '../../../../packages/sandbox/port.ts'
import { attemptOf, changeState, patchAttempt } from '../../../../src/core/domain/change-state.ts'
import type { Workspace } from '../../../../src/core/ports/workspace.ts'
import { hashOfOperations } from '../../../../src/core/proposal-hash.ts'
import { repairCode } from '../../../../src/graph/nodes/attempt/repair-code.ts'
import { validateCode } from '../../../../src/graph/nodes/attempt/validate-code.ts'
import { verifyTask } from '../../../../src/graph/nodes/attempt/verify-task.ts'
import { writeFiles } from '../../../../src/graph/nodes/attempt/write-files.ts'
import { fakePorts } from '../../../fakes/facts.ts'
import { createScriptedModel } from '../../../fakes/scripted-model.ts'
import { createScriptedSandbox } from '../../../fakes/scripted-sandbox.ts'
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
    ['the file changed', 'the file changed meanwhile', null],
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
    const spent = changeState(state, { attempt: { ...attemptOf(state), validationRepairs: 2 } })
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
    const open = changeState(state, { attempt: { ...attemptAfter(unfit), task } })
    const asked = await repairCode(open, ports)
    expect(attemptAfter(asked).draft?.changes).toEqual(moved)
    const valid = await validateCode(changeState(open, asked.patch), ports)
    expect(valid.outcome).toBe('valid')
    expect(attemptAfter(valid).remedies).toMatchObject([{ strategy: 'ask_again', worked: null }])
    const written = await writeFiles(changeState(open, valid.patch), ports)
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

describe('a lock that follows from a changed manifest', () => {
  const files = {
    'package.json': '{ "dependencies": { "a": "^1" } }\n',
    'package-lock.json': '{ "packages": {} }\n',
  }
  const withMore = '{ "dependencies": { "a": "^1", "b": "^2" } }\n'
  const more: ChangeSet[number] = {
    ...{ action: 'modify', path: 'package.json' },
    ...{ before: files['package.json'], content: withMore },
  }
  const lock = '{ "packages": {\n"c": "git+https://git.example.com/c"\n} }\n'

  async function writing(changes: ChangeSet, said: Partial<SandboxRun> = {}) {
    const { workspace, state } = await taskUnderWay({
      files,
      attempt: { draft: aDraft({ changes }) },
    })
    const attempt = attemptOf(state)
    const collected = new Map([['out/package-lock.json', lock]])
    const sandbox = createScriptedSandbox(() => ({ collected, ...said }))
    const ports = fakePorts({ workspace, sandbox })
    const open = { ...attempt, task: { ...attempt.task, files: [] } }
    return { workspace, sandbox, ports, state: changeState(state, { attempt: open }) }
  }

  it('is made by the installer, once a person allows what leaves the registries', async () => {
    const { workspace, state, sandbox, ports } = await writing([more])
    const asked = await writeFiles(state, ports)
    expect(asked.outcome).toBe('destructive')
    const [operation] = attemptAfter(asked).destructive
    expect(operation).toMatchObject({ category: 'packages', path: 'package-lock.json', line: 2 })
    const hash = hashOfOperations(attemptAfter(asked))
    const allowed = [operation?.fingerprint ?? '']
    const attempt = { ...attemptAfter(asked), destructive: [], allowed }
    const written = await writeFiles(changeState(state, { attempt }), ports)
    expect(written.outcome).toBe('written')
    expect(workspace.filesIn('T-1')).toMatchObject({
      'package.json': withMore,
      'package-lock.json': lock,
    })
    // What was approved is what is written, byte by byte; nothing ran in between.
    expect(sandbox.commands).toHaveLength(1)
    expect(
      hashOfOperations({ ...attemptAfter(asked), draft: aDraft({ changes: [more] }) }),
    ).not.toBe(hash)
  })

  it('takes the place of what the model wrote, and is there after a kill', async () => {
    const own: ChangeSet[number] = {
      ...{ action: 'modify', path: 'package-lock.json' },
      ...{ before: files['package-lock.json'], content: '{ "packages": { "c": {} } }\n' },
    }
    const { workspace, state, ports } = await writing([more, own])
    const settings = { ...ports.settings, pauseDestructive: false }
    const grants = [{ path: own.path, by: 'ada' }]
    const allowing = changeState(state, patchAttempt(state, { grants }))
    const step = await writeFiles(allowing, { ...ports, settings })
    expect(step.outcome).toBe('written')
    expect(workspace.filesIn('T-1')['package-lock.json']).toBe(lock)
    await workspace.discard('T-1')
    await verifyTask(changeState(allowing, step.patch), ports)
    expect(workspace.filesIn('T-1')['package-lock.json']).toBe(lock)
    expect(changesOf(attemptAfter(step).draft).map(({ path }) => path)).toEqual([
      'package.json',
      'package-lock.json',
    ])
  })

  it('is left as it is where only scripts change', async () => {
    const content = '{ "scripts": { "test": "a" }, "dependencies": { "a": "^1" } }\n'
    const { state, sandbox, ports } = await writing([{ ...more, content }])
    expect(await writeFiles(state, ports)).toEqual({ outcome: 'written' })
    expect(sandbox.commands).toEqual([])
  })

  it('is why nothing can run, where the installer fails', async () => {
    const { state, ports } = await writing([more], { exitCode: 1, stderr: 'npm error code E404' })
    const step = await writeFiles(state, ports)
    expect(step.outcome).toBe('cannot_run')
    expect(attemptAfter(step).failure).toMatchObject({
      at: 'cannot_run',
      diagnosis: { kind: 'set-up' },
      output: expect.stringContaining('E404'),
    })
  })

  it('is told to be stale where its installer is not there', async () => {
    const { state, sandbox, ports } = await writing([more])
    const without = { ...ports, sandbox: { ...sandbox, has: async () => false } }
    const step = await writeFiles(state, without)
    expect(step.outcome).toBe('written')
    expect(attemptAfter(step).draft?.warnings).toEqual([
      'package-lock.json was not renewed although its manifest changed: npm was not found.',
    ])
  })
})
