import { expect } from 'vitest'
import { isWellFormed, type SourceWatch, watchSources } from './look-at-disk.ts'
import { outcomes, play, type Scenario } from './scenario.ts'

/** One task that ends well. */
export interface OneTask extends Scenario {
  readonly it: string
  /** Purpose and task of every request, in order. */
  readonly asked: readonly string[]
  /** What files of the branch hold in the end. */
  readonly holds: readonly (readonly [path: string, text: string | RegExp])[]
  /** Files that are the same on the branch as before. */
  readonly untouched?: readonly string[]
  /** What its receipt says. */
  readonly receipt?: object
  /** True where it is the repository that has a file which does not parse. */
  readonly isBrokenBefore?: boolean
}

/** Plays it, and sees to it that no source which its compiler refuses is on disk at any time. */
export async function playOneTask(scenario: OneTask): Promise<void> {
  const watches: SourceWatch[] = []
  await using played = await play({
    ...scenario,
    prepare(project) {
      scenario.prepare?.(project)
      watches.push(watchSources(project.root))
    },
  })
  const onDisk = (await Promise.all(watches.map((watch) => watch.stop()))).flat()
  const { project, model, result } = played
  const [id = ''] = Object.keys(project.todos())
  expect(result.code, result.stderr).toBe(0)
  expect(model.asked()).toEqual(scenario.asked)
  expect(project.branches()).toEqual([`agent/${id}`])
  expect(outcomes(project)).toEqual({ [id]: 'done' })
  expect(project.todos()).toEqual({ [id]: 'completed' })
  expect(project.report().tasks[0]?.receipt).toMatchObject({
    result: 'passed',
    ...scenario.receipt,
  })
  for (const [path, text] of scenario.holds) {
    const held = project.show(`agent/${id}`, path)
    if (typeof text === 'string') expect(held).toBe(text)
    else expect(held).toMatch(text)
    // The watch sees what is there: what was tested in the end was on disk.
    expect(onDisk.some(({ name, text }) => name.endsWith(path) && text === held)).toBe(true)
  }
  for (const path of scenario.untouched ?? []) {
    expect(project.show(`agent/${id}`, path)).toBe(project.show('main', path))
  }
  if (scenario.isBrokenBefore) return
  // A file of the repository's own may be looked at while git is writing it.
  const own = Object.values(scenario.files)
  const written = onDisk.filter(({ text }) => !own.some((known) => known.startsWith(text)))
  expect(written.filter((source) => !isWellFormed(source))).toEqual([])
}
