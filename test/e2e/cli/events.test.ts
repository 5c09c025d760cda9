import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProject, type Project, type Variables } from './bench.ts'
import { readEvents } from './check-events.ts'
import { alphabet, letterAnswers, letterRoadmap } from './letters.ts'
import { startModel } from './model.ts'

const key = 'c4n4ry-of-this-run-0123456789'

/** One letter to add; its title says what the key is, and turns the order of letters around. */
async function open(): Promise<{ project: Project; variables: Variables }> {
  const roadmap = letterRoadmap(1).replace('Add `a`', `Add \`a\` ${key}\u202e\u001b[31m`)
  const project = createProject({ ...alphabet, 'ROADMAP.md': roadmap })
  const model = await startModel(letterAnswers(1))
  onTestFinished(async () => {
    await model[Symbol.asyncDispose]()
    project[Symbol.dispose]()
  })
  return { project, variables: { ...model.variables, OPENAI_API_KEY: key } }
}

describe('run --events', () => {
  it.each([['--events'], ['--events=-']])(
    '%s writes nothing else on standard output',
    async (flag) => {
      const { project, variables } = await open()
      const { code, stdout, stderr } = await project.run(['run', flag], variables)
      expect(code, stderr).toBe(0)
      expect(stderr).toContain('1 of 1 done')
      const events = readEvents(stdout)
      expect(events[0]?.type).toBe('run_started')
      expect(events.at(-1)).toMatchObject({ type: 'run_ended', exitCode: 0, totals: { done: 1 } })
      expect(stdout).not.toContain('c4n4ry')
      expect(events).toContainEqual(
        expect.objectContaining({
          type: 'verdict',
          task: 'T-1',
          outcome: 'done',
          branch: 'agent/T-1',
        }),
      )
    },
  )

  it('appends to a file, beside the report on standard output', async () => {
    const { project, variables } = await open()
    const run = () => project.run(['run', '--json', '--events=events.jsonl'], variables)
    const first = await run()
    expect(JSON.parse(first.stdout)).toMatchObject({ totals: { done: 1 } })
    await run()
    const events = readEvents(readFileSync(`${project.path}/events.jsonl`, 'utf8'))
    expect(events.filter(({ type }) => type === 'run_ended')).toHaveLength(2)
  })

  it('forecasts a dry run', async () => {
    const { project, variables } = await open()
    const { stdout } = await project.run(['run', '--dry-run', '--events'], variables)
    const verdicts = readEvents(stdout).filter(({ type }) => type === 'verdict')
    expect(verdicts).toEqual([expect.objectContaining({ outcome: 'planned' })])
  })

  it.each([
    [['--events', '--json'], 'both need standard output'],
    [['--events=none/events.jsonl'], 'cannot be written: ENOENT'],
    [['--events=.'], 'cannot be written: EISDIR'],
  ])('%j is refused before anything is spent', async (flags, reason) => {
    const { project, variables } = await open()
    const { code, stdout, stderr } = await project.run(['run', ...flags], variables)
    expect([code, stdout, project.branches()]).toEqual([2, '', []])
    expect(stderr).toContain(reason)
  })

  it('ends with the disk, and the run does not', async () => {
    const { project, variables } = await open()
    const { code, stderr } = await project.run(['run', '--events=/dev/full'], variables)
    expect([code, project.branches()]).toEqual([0, ['agent/T-1']])
    expect(stderr.match(/the events end here, and the run continues: ENOSPC/g)).toHaveLength(1)
  })

  it('ends with a reader that goes away, and the run does not', async () => {
    const { project, variables } = await open()
    const running = project.start(['run', '--events'], variables)
    const { stdout } = running.process
    if (stdout === null) throw new Error('no pipe')
    await once(stdout, 'data')
    // What the harness reads of it ends early.
    running.ended.catch(() => {})
    stdout.destroy()
    const [code] = await once(running.process, 'exit')
    expect([code, project.branches()]).toEqual([0, ['agent/T-1']])
  })
})
