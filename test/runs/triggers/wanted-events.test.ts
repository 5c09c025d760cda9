import { expect, it } from 'vitest'
import { wantedEvents } from '../../../src/runs/triggers/trigger.ts'

/** Every event GitHub starts a workflow for, less those we serve; then what it never sends. */
const others = [
  'branch_protection_rule',
  'check_run',
  'create',
  'delete',
  'deployment',
  'deployment_status',
  'discussion',
  'discussion_comment',
  'fork',
  'gollum',
  'image_version',
  'label',
  'merge_group',
  'milestone',
  'page_build',
  'public',
  'pull_request_comment',
  'pull_request_target',
  'registry_package',
  'release',
  'watch',
  'workflow_call',
  '',
  'Schedule',
  'schedule\n::error::x',
  '__proto__',
]

it.each(others)('%j is not for us', (event) => {
  expect(wantedEvents.has(event)).toBe(false)
})
