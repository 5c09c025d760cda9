import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { appEvents } from '../../../src/entry/app/receive-webhook.ts'
import { wantedEvents } from '../../../src/runs/triggers/trigger.ts'

const manifest = parse(readFileSync('app.yml', 'utf8'))

type Need = readonly [permission: string, access: 'read' | 'write'] | null

const writes = /^(?:add|create|delete|merge|remove|reply|request|set|submit|update)/

/** What a call of GitHub's API asks of an App; `null`: nothing but to be one. */
function needOf(call: string): Need | undefined {
  const [group = '', method = ''] = call.split('.')
  const access = writes.test(method) ? 'write' : 'read'
  if (call === 'actions.getRepoVariable') return ['actions_variables', 'read']
  if (/^repos\.(?:get|getCollaboratorPermissionLevel|listBranches)$/.test(call)) {
    return ['metadata', 'read']
  }
  if (/^repos\..*Status/.test(call)) return ['statuses', access]
  const groups: Readonly<Record<string, Need>> = {
    actions: ['actions', access],
    apps: null,
    checks: ['checks', access],
    git: ['contents', access],
    issues: ['issues', access],
    meta: null,
    pulls: ['pull_requests', access],
    reactions: ['issues', access],
    repos: ['contents', access],
    users: null,
  }
  return groups[group]
}

/** Only `doctor` asks this, with a person's token. */
const notOfTheApp = 'actions.getGithubActionsDefaultWorkflowPermissionsRepository'

const calls = [
  ...new Set(
    globSync('src/adapters/**/*.ts').flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/octokit(?:\.rest)?\.([a-z]+\.[a-zA-Z]+)\(/g)].map(
        ([, call = '']) => call,
      ),
    ),
  ),
].filter((call) => !/^(?:hook|request)\./.test(call) && call !== notOfTheApp)

describe('docs/app.md', () => {
  const guide = readFileSync('docs/app.md', 'utf8')
  const read = (path: string) => readFileSync(path, 'utf8')

  const names = [
    ...read('src/entry/app/read-environment.ts').matchAll(
      /\b[A-Z]+(?:_[A-Z]+)+\b|\b(?:HOST|PORT)\b/g,
    ),
    ...read('src/entry/app/http-server.ts').matchAll(/\bexecutor_[a-z_]+\b/g),
  ].map(([name]) => name)

  it.each([...new Set(names)])('says what %s is', (name) => {
    expect(guide).toContain(`\`${name}`)
  })
})

describe('app.yml', () => {
  it('asks for these permissions and no more', () => {
    expect(manifest.default_permissions).toEqual({
      actions: 'write',
      actions_variables: 'read',
      checks: 'read',
      contents: 'write',
      issues: 'write',
      metadata: 'read',
      pull_requests: 'write',
      statuses: 'read',
    })
  })

  it.each(calls)('lets the App call %s', (call) => {
    const need = needOf(call)
    expect(need, 'say in this test which permission it needs').toBeDefined()
    if (need === null || need === undefined) return
    const [permission, access] = need
    expect([access, 'write']).toContain(manifest.default_permissions[permission])
  })

  it('subscribes to the events that are served', () => {
    expect(manifest.default_events).toEqual([...appEvents])
    // The clock sends no webhook, check_suite says what a workflow's run would, and what the App starts itself must not come back.
    const ofWorkflowsOnly = ['schedule', 'workflow_dispatch', 'workflow_run']
    expect(new Set([...appEvents, ...ofWorkflowsOnly])).toEqual(wantedEvents)
  })
})
