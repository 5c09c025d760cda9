import type { RunError, RunState } from './run-state.ts'

/** What a step changes: an attempt as a whole, of any other group some facts. */
export type StatePatch = {
  readonly [Group in Exclude<keyof RunState, 'version' | 'attempt'>]?: Partial<RunState[Group]>
} & { readonly attempt?: RunState['attempt'] }

/** Several patches as one; the later one counts. */
export function joinPatches(...patches: readonly (StatePatch | undefined)[]): StatePatch {
  const joined: Record<string, unknown> = {}
  for (const patch of patches) {
    for (const [group, facts] of Object.entries(patch ?? {})) {
      joined[group] = group === 'attempt' ? facts : { ...Object(joined[group]), ...facts }
    }
  }
  return joined
}

/** The state with these changes. */
export function changeState(
  { version, ...groups }: RunState,
  ...patches: readonly (StatePatch | undefined)[]
): RunState {
  return { version, ...joinPatches(groups, ...patches) } as RunState
}

/** A patch that notes these errors. */
export const noteErrors = (
  { record }: StateFacts<'record.errors'>,
  ...errors: readonly (RunError | null)[]
): StatePatch => ({
  record: { errors: [...record.errors, ...errors.filter((error) => error !== null)] },
})

type GroupOf<Path> = Path extends `${infer Group extends keyof RunState}.${string}` ? Group : never
type NameIn<Path, Group extends string> = Path extends `${Group}.${infer Name}` ? Name : never

/** Some facts of a state: `StateFacts<'run.id' | 'tasks.results'>`. */
export type StateFacts<Path extends string> = {
  readonly [Group in GroupOf<Path>]: Pick<
    RunState[Group],
    Extract<keyof RunState[Group], NameIn<Path, Group>>
  >
}
