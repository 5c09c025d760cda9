import { describe, expect, it } from 'vitest'
import { openBench, refusal, target } from './bench.ts'

const workflow = `on:
  schedule: [{cron: '17 3 * * *'}]
  workflow_dispatch:
    inputs:
      command: {type: choice, options: [auto, run], default: auto}
      task: {required: true}
`
const files = {
  '.github/workflows/executor.yml': workflow,
  '.github/workflows/ci.yml': 'on: [push]\n',
}

describe('Actions on the test server', () => {
  it('starts a workflow by hand with the inputs that it knows', async () => {
    await using bench = await openBench({ seed: { files } })
    const { actions } = bench.octokit('writer-token')
    const dispatch = (more: object) =>
      refusal(
        actions.createWorkflowDispatch({
          ...target,
          workflow_id: 'executor.yml',
          ref: 'main',
          ...more,
        }),
      )
    expect(await dispatch({})).toMatch(/^422 Required input 'task' not provided/)
    expect(await dispatch({ inputs: { task: 'T-1', tsak: 'T-2' } })).toMatch(
      /^422 Unexpected inputs provided: \["tsak"\]/,
    )
    expect(await dispatch({ inputs: { task: 'T-1', command: 'x' } })).toMatch(
      /^422 Provided value 'x' for input 'command' not in/,
    )
    expect(await dispatch({ ref: 'gone', inputs: { task: 'T-1' } })).toMatch(/^422 No ref found/)
    expect(await dispatch({ workflow_id: 'ci.yml' })).toMatch(/^422 Workflow does not have/)
    expect(await dispatch({ workflow_id: 'other.yml' })).toMatch(/^404/)
    expect(await dispatch({ inputs: { task: 'T-1' } })).toBe('accepted')
    const { data: details } = await bench
      .octokit('writer-token')
      .request('POST /repos/ada/engine/actions/workflows/executor.yml/dispatches', {
        ...{ ref: 'main', inputs: { task: 'T-2', command: 'run' }, return_run_details: true },
      })
    const { data } = await actions.listWorkflowRuns({ ...target, workflow_id: 'executor.yml' })
    expect(data.workflow_runs.map(({ id }) => id)[0]).toBe(details.workflow_run_id)
    expect((await bench.server.state('ada', 'engine')).runs).toMatchObject([
      { inputs: { command: 'auto', task: 'T-1' }, actor: 'grace', branch: 'main' },
      { inputs: { command: 'run', task: 'T-2' } },
    ])
    expect(bench.server.contractViolations).toEqual([])
  })

  it('takes dispatches of the repository, also from a workflow, which start others', async () => {
    await using bench = await openBench()
    const dispatch = (token: 'actions-token' | 'triager-token') =>
      refusal(
        bench.octokit(token).repos.createDispatchEvent({
          ...{ ...target, event_type: 'executor' },
          client_payload: { task: 'T-1' },
        }),
      )
    expect(await dispatch('triager-token')).toMatch(/^403/)
    expect(await dispatch('actions-token')).toBe('accepted')
    expect((await bench.server.state('ada', 'engine')).dispatches).toEqual([
      { type: 'executor', payload: { task: 'T-1' }, actor: 'github-actions[bot]' },
    ])
    expect(bench.server.events).toMatchObject([
      {
        name: 'repository_dispatch',
        startsWorkflows: true,
        payload: { action: 'executor', branch: 'main', client_payload: { task: 'T-1' } },
      },
    ])
    expect(bench.server.contractViolations).toEqual([])
  })

  it("has variables, which a workflow's own token may not read", async () => {
    await using bench = await openBench({ variables: { EXECUTOR_DISABLED: 'true' } })
    const read = (token: 'writer-token' | 'bot-token' | 'actions-token', name: string) =>
      bench.octokit(token).actions.getRepoVariable({ ...target, name })
    expect((await read('writer-token', 'executor_disabled')).data.value).toBe('true')
    expect((await read('bot-token', 'EXECUTOR_DISABLED')).data.value).toBe('true')
    expect(await refusal(read('writer-token', 'OTHER'))).toMatch(/^404/)
    expect(await refusal(read('actions-token', 'EXECUTOR_DISABLED'))).toMatch(
      /^403 Resource not accessible by integration/,
    )
    expect(bench.server.contractViolations).toEqual([])
  })

  it('tells the rules of the default branch', async () => {
    await using bench = await openBench({ requiredReviews: 2, requiredChecks: ['test'] })
    const { repos } = bench.octokit('reader-token')
    const rules = async (branch: string): Promise<string[]> =>
      (await repos.getBranchRules({ ...target, branch })).data.map(({ type }) => type)
    expect(await rules('main')).toEqual(['pull_request', 'required_status_checks'])
    expect(await rules('other')).toEqual([])
    expect(bench.server.contractViolations).toEqual([])
  })
})
