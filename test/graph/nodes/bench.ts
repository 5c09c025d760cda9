import type { ChangeSet, Draft } from '../../../packages/change/change-set.ts'
import { readRoadmap } from '../../../packages/roadmap/document/read-roadmap.ts'
import type { Attempt } from '../../../src/core/domain/attempt.ts'
import { joinPatches, type StatePatch } from '../../../src/core/domain/change-state.ts'
import { anAttempt, aState } from '../../fakes/facts.ts'
import { createMemoryWorkspace, type Files } from '../../fakes/memory-workspace.ts'

/** A small project with two tasks to do; the second needs the first. */
export const project: Files = {
  'ROADMAP.md': `# Roadmap

- [ ] **T-1**: Add a greeting
  - **Files**: \`src/greet.js\`
- [ ] **T-2**: Say it twice
  - **Depends on**: T-1
`,
  'package.json': '{ "type": "module", "scripts": { "test": "check" } }\n',
  'src/index.js': 'export const answer = 42\n',
}

export const greeting: ChangeSet = [
  { action: 'create', path: 'src/greet.js', content: "export const greet = () => 'hello'\n" },
]

export function aDraft(facts: Partial<Draft> = {}): Draft {
  return { changes: greeting, refusals: [], claimsDone: false, summary: '', notes: [], ...facts }
}

/** A run in the middle of its task T-1, in a repository in memory. */
export async function taskUnderWay(
  given: {
    readonly files?: Files
    readonly attempt?: Partial<Attempt>
    readonly state?: StatePatch
    readonly workspace?: Parameters<typeof createMemoryWorkspace>[0]
  } = {},
) {
  const files = { ...project, ...given.files }
  const workspace = createMemoryWorkspace({ ...given.workspace, files })
  const { base } = await workspace.refresh()
  const { tasks } = readRoadmap(files['ROADMAP.md'] ?? '')
  const [first] = tasks
  if (first === undefined) throw new Error('The roadmap of the case has no task.')
  const attempt = anAttempt({ task: first, start: base, ...given.attempt })
  const state = aState(joinPatches({ roadmap: { base }, attempt }, given.state))
  return { workspace, state, attempt, tasks, base }
}

/** The attempt as a step left it. */
export function attemptAfter(step: { readonly patch?: StatePatch }): Attempt {
  const attempt = step.patch?.attempt
  if (!attempt) throw new Error('The step changed nothing of the attempt.')
  return attempt
}
