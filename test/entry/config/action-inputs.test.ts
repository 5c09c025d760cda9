import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readActionInputs } from '../../../src/entry/action/read-job.ts'
import { options } from '../../../src/entry/config/options.ts'
import { readConfigFile } from '../../../src/entry/config/read-config-file.ts'
import { resolveSettings } from '../../../src/entry/config/resolve-settings.ts'

const manifest = z
  .object({
    inputs: z.record(
      z.string(),
      z.strictObject({ description: z.string(), default: z.string().optional() }),
    ),
    outputs: z.record(z.string(), z.strictObject({ description: z.string() })),
    runs: z.strictObject({ using: z.literal('node24'), main: z.literal('dist/action.cjs') }),
  })
  .parse(parse(readFileSync(new URL('../../../action.yml', import.meta.url), 'utf8')))

const given = (inputs: Readonly<Record<string, string>>) => (name: string) => inputs[name] ?? ''

describe('action.yml', () => {
  it('declares exactly the inputs that are read', () => {
    const read = new Set<string>()
    readActionInputs((name) => {
      read.add(name)
      return ''
    })
    expect([...read].sort()).toEqual(Object.keys(manifest.inputs).sort())
  })

  it('describes settings as the table does, and gives them no default of its own', () => {
    for (const { input, description } of options) {
      if (input !== null) expect(manifest.inputs[input], input).toEqual({ description })
    }
  })

  it('has the outputs scripts rely on', () => {
    expect(Object.keys(manifest.outputs)).toEqual([
      'completed',
      'unverified',
      'failed',
      'deferred',
      'waiting',
      'pull-requests',
      'report',
      'run-id',
      'cost',
      'tokens',
      'state',
      'ready-tasks',
    ])
  })
})

describe('readActionInputs', () => {
  it('gives what was written, and the defaults of action.yml for the rest', () => {
    const defaults = Object.fromEntries(
      Object.entries(manifest.inputs).map(([name, input]) => [name, input.default ?? '']),
    )
    const expected = {
      command: 'auto',
      task: null,
      config: '.github/executor.yml',
      dryRun: false,
      apiKey: null,
      githubToken: null,
      settings: {},
    }
    expect(readActionInputs(given({}))).toEqual({ status: 'ok', inputs: expected })
    expect(readActionInputs(given({ ...defaults, 'github-token': '' }))).toEqual({
      status: 'ok',
      inputs: expected,
    })
  })

  it('hands settings on as flags', () => {
    const read = readActionInputs(
      given({ command: 'run', task: 'T-1', 'dry-run': 'True', 'max-tasks': '2', model: 'm' }),
    )
    expect(read).toMatchObject({
      inputs: { command: 'run', task: 'T-1', dryRun: true, settings: { 'max-tasks': '2' } },
    })
    const flags = read.status === 'ok' ? read.inputs.settings : {}
    const resolved = resolveSettings({
      flags,
      environment: {},
      file: readConfigFile('executor.yml', 'max-tasks: 9\n'),
      defaults: { approvalMode: 'interactive', stack: 'auto' },
    })
    expect(resolved).toMatchObject({ settings: { limits: { tasks: 2 }, model: { name: 'm' } } })
  })

  test.each([
    [
      { command: 'reprot' },
      'command must be one of auto, run, lint, plan, reconcile, report, check, rollback, not reprot',
      'mean report?',
    ],
    [{ command: 'merge' }, 'not merge', 'Leave it out'],
    [{ 'dry-run': 'maybe' }, 'dry-run must be true or false, not maybe', 'true or false'],
    [{ 'dry-run': '1' }, 'must be true or false, not 1', 'true or false'],
  ])('%j: %s', (inputs, message, fix) => {
    const read = readActionInputs(given(inputs))
    const problems = read.status === 'invalid' ? read.problems : []
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toContain(message)
    expect(problems[0]?.fix).toContain(fix)
  })
})
