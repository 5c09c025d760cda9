/** `api:T-1` as its repository and its task; `null` for anything else. */
export function splitTaskName(
  name: string,
): { readonly repository: string; readonly id: string } | null {
  const at = name.indexOf(':')
  if (at <= 0 || at === name.length - 1) return null
  return { repository: name.slice(0, at), id: name.slice(at + 1) }
}

/**
 * Orders repositories so that each comes after those that its tasks need, otherwise as written. Repositories that need
 * one another keep their order: a walk returns to the first of them.
 *
 * @param needs the tasks of other repositories that the open tasks of each need, `api:T-1`
 */
export function orderRepositories(
  names: readonly string[],
  needs: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const ordered = new Set<string>()
  const entered = new Set<string>()
  const enter = (name: string): void => {
    if (entered.has(name)) return
    entered.add(name)
    const before = (needs.get(name) ?? []).flatMap((each) => splitTaskName(each)?.repository ?? [])
    for (const other of names) if (before.includes(other)) enter(other)
    ordered.add(name)
  }
  names.forEach(enter)
  return [...ordered]
}
