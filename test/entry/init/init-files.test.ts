import { describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { publishedAction } from '../../../src/core/publisher.ts'
import { readConfigFile } from '../../../src/entry/config/read-config-file.ts'
import { resolveSettings } from '../../../src/entry/config/resolve-settings.ts'
import { initFiles } from '../../../src/entry/init/init-files.ts'
import { workflowNames, workflowText } from '../../../src/entry/init/workflow-files.ts'

function configOf(answers: {
  readonly model: string | null
  readonly baseUrl: string | null
}): string {
  const file = initFiles({ ...answers, workflow: 'full' }).find(
    (one) => one.path === '.github/executor.yml',
  )
  return file?.text ?? ''
}

const resolve = (text: string) =>
  resolveSettings({
    flags: {},
    environment: {},
    file: readConfigFile('.github/executor.yml', text),
    defaults: { approvalMode: 'interactive', stack: 'auto' },
  })

describe('the workflows', () => {
  it.each(workflowNames)('let no comment take the place of a night that waits: %s', (name) => {
    const { on, concurrency, jobs } = parse(workflowText(name))
    const isAnswering = 'issue_comment' in on || 'issues' in on
    // An event that is not for us takes nobody's place: its job is skipped before it would wait.
    expect(isAnswering && concurrency !== undefined).toBe(false)
    const group: string = concurrency?.group ?? jobs.executor.concurrency.group
    if (!('schedule' in on)) expect(group).toBe('roadmap-executor')
    else if (isAnswering) expect(group).toContain("(github.event_name == 'schedule' ||")
    else expect(group).toMatch(/^roadmap-executor-(?:work|matrix)$/)
  })

  it.each(workflowNames)('take what the App starts them with: %s', (name) => {
    const { on } = parse(workflowText(name))
    if (!('workflow_dispatch' in on)) return expect(on).not.toHaveProperty('schedule')
    const { task, command } = on.workflow_dispatch.inputs
    expect([task.required, command.required]).toEqual([false, false])
    expect(command.options).toContain('reconcile')
  })
})

describe('initFiles', () => {
  it('writes a workflow, a configuration and a roadmap', () => {
    const paths = initFiles({ model: null, baseUrl: null, workflow: 'full' }).map(
      (file) => file.path,
    )
    expect(paths).toEqual(['.github/workflows/executor.yml', '.github/executor.yml', 'ROADMAP.md'])
  })

  test.each(['m', 'a: b # "c" \\', "it's"])('the configuration names the model %j', (model) => {
    const resolved = resolve(configOf({ model, baseUrl: 'http://127.0.0.1:1/v1' }))
    expect(resolved).toMatchObject({
      status: 'ok',
      settings: { model: { name: model, baseUrl: 'http://127.0.0.1:1/v1' } },
    })
  })

  it('is still a configuration when every line is uncommented', () => {
    const text = configOf({ model: null, baseUrl: null })
    const settings = text.replace(/^# (?=[a-z-]+: ?|[a-z-]+:$| {2})/gm, '')
    const resolved = resolve(settings)
    expect(resolved).toMatchObject({
      status: 'ok',
      settings: { verify: { testCommand: 'npm test' }, protectedPaths: ['migrations/**'] },
    })
    expect(settings.match(/^#/gm)).toHaveLength(5)
  })

  it('takes what was found and told: another list, a test command, a fork, the names of its CI', () => {
    const told = { roadmap: 'docs/TODO.md', testCommand: 'make "all tests"' }
    const files = initFiles({
      ...{ model: null, baseUrl: null, workflow: 'full', ...told },
      ...{ action: 'me/fork@main', ci: ['CI', 'Unit tests: $& all', 'true'] },
    })
    expect(files.map(({ path }) => path)).not.toContain('ROADMAP.md')
    const [workflow, configuration] = files.map(({ text }) => text)
    expect(resolve(configuration ?? '')).toMatchObject({
      settings: { roadmap: 'docs/TODO.md', verify: { testCommand: 'make "all tests"' } },
    })
    const { on, jobs } = parse(workflow ?? '')
    expect(on.workflow_run.workflows).toEqual(['CI', 'Unit tests: $& all', 'true'])
    const used = jobs.executor.steps.map(({ uses }: { uses?: string }) => uses)
    expect(used).toContain('me/fork@main')
  })

  it.each(workflowNames)(
    'names the Action where it is published, and a fork instead: %s',
    (name) => {
      expect(workflowText(name)).toContain(`uses: ${publishedAction}\n`)
      expect(workflowText(name, 'me/fork@main')).not.toContain(publishedAction)
    },
  )
})
