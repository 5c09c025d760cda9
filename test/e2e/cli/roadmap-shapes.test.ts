import { describe, expect, it } from 'vitest'
import type { Task } from '../../../packages/task/task-schema.ts'
import type { LintReport } from '../../../src/tasks/lint-report.ts'
import { createProject } from './bench.ts'
import { alphabet } from './letters.ts'
import { shapes } from './roadmap-shapes.ts'

interface Planned {
  readonly tasks: readonly Pick<Task, 'id' | 'title' | 'dependsOn'>[]
  readonly groups: readonly (readonly string[])[]
}

describe.concurrent('parse, plan and lint', () => {
  it.each(shapes)('mean the same tasks: $it', async ({ text, open, ids }) => {
    using project = createProject({ ...alphabet, 'ROADMAP.md': text })
    const parsed = await project.run(['parse', 'ROADMAP.md', '--json'])
    const planned = await project.run(['plan', '--json'])
    const linted = await project.run(['lint', '--json'])
    expect([parsed.code, planned.code, linted.code], planned.stderr).toEqual([0, 0, 0])
    const { tasks, problems } = JSON.parse(parsed.stdout)
    const plan: Planned = JSON.parse(planned.stdout)
    const lint: LintReport = JSON.parse(linted.stdout)

    const pending: readonly Task[] = tasks.filter(({ status }: Task) => status === 'pending')
    const titleOf = (id: string) => pending.find((task) => task.id === id)?.title
    const left = (list: readonly string[]) => list.filter((id) => titleOf(id) !== undefined).sort()
    const starts = pending.map(({ dependsOn }, at) =>
      [pending[at]?.title, ...left(dependsOn).map(titleOf)].map((title) => String(title)),
    )
    expect(starts.map(([own]) => own)).toEqual(
      open.map(([title]) => expect.stringMatching(new RegExp(`^${title}`))),
    )
    for (const [at, [, ...after]] of open.entries()) {
      const found = (starts[at] ?? []).slice(1)
      expect(found).toHaveLength(after.length)
      for (const title of after)
        expect(
          found.some((one) => one.startsWith(title)),
          title,
        ).toBe(true)
    }
    if (ids !== undefined) expect(pending.map(({ id }) => id)).toEqual(ids)

    const named = ({ id, title }: Pick<Task, 'id' | 'title'>) => `${id} ${title}`
    expect(plan.tasks.map(named).sort()).toEqual(pending.map(named).sort())
    expect(lint.forecast.tasks.map(named)).toEqual(pending.map(named))
    const order = plan.tasks.map(({ id }) => id)
    expect(plan.groups.flat().sort()).toEqual(order.toSorted())
    for (const { id, dependsOn } of plan.tasks) {
      expect(left(dependsOn), id).toEqual(
        left(pending.find((task) => task.id === id)?.dependsOn ?? []),
      )
      for (const needed of left(dependsOn))
        expect(order.indexOf(needed)).toBeLessThan(order.indexOf(id))
    }
    const places = lint.findings.map(({ rule, line }) => `${rule} ${line}`)
    for (const { rule, line } of problems) expect(places).toContain(`${rule} ${line}`)
  })
})
