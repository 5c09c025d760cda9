import { parse } from 'yaml'
import type { Git } from './git.ts'

interface WorkflowInput {
  readonly required?: boolean
  readonly default?: unknown
  readonly type?: string
  readonly options?: readonly unknown[]
}

/** What a workflow file says about being started by hand; `null` when it is not there. */
export interface WorkflowFile {
  /** `null` when it cannot be. */
  readonly inputs: Readonly<Record<string, WorkflowInput | null>> | null
}

export async function readWorkflow(
  git: Git,
  commit: string,
  path: string,
): Promise<WorkflowFile | null> {
  const { exitCode, stdout } = await git.run(['cat-file', 'blob', `${commit}:${path}`])
  if (exitCode !== 0) return null
  const workflow: { on?: unknown } | null = parse(stdout)
  return { inputs: inputsOf(workflow?.on) }
}

function inputsOf(on: unknown): WorkflowFile['inputs'] {
  if (on === 'workflow_dispatch') return {}
  if (Array.isArray(on)) return on.includes('workflow_dispatch') ? {} : null
  if (typeof on !== 'object' || on === null || !('workflow_dispatch' in on)) return null
  const { workflow_dispatch: dispatch } = on as {
    workflow_dispatch: { inputs?: Record<string, WorkflowInput | null> } | null
  }
  return dispatch?.inputs ?? {}
}

/** The inputs of a run, or GitHub's reason against those that were given. */
export function fillInputs(
  known: NonNullable<WorkflowFile['inputs']>,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> | string {
  const strange = Object.keys(given).filter((name) => !Object.hasOwn(known, name))
  if (strange.length > 0) return `Unexpected inputs provided: ${JSON.stringify(strange)}`
  const filled: Record<string, string> = {}
  for (const [name, input] of Object.entries(known)) {
    const value = given[name] ?? input?.default ?? ''
    if (input?.required === true && value === '') return `Required input '${name}' not provided`
    const allowed = input?.type === 'choice' ? (input.options ?? []).map(String) : null
    if (allowed !== null && value !== '' && !allowed.includes(`${value}`)) {
      return `Provided value '${value}' for input '${name}' not in the list of allowed values`
    }
    filled[name] = `${value}`
  }
  return filled
}
