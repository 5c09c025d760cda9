import { asItem } from '../document/issue-tasks.ts'
import { readRoadmap } from '../document/read-roadmap.ts'
import type { ListedIssue } from '../listed-issue.ts'
import { aPlanTask, type ReadPlan, toPlanTask } from './plan-task.ts'

/**
 * Reads issues as tasks, with the roadmap's own parser: `#17` is `T-17`, and its body may have fields and check boxes.
 * The first assignee is the owner, the milestone the section.
 */
export function readIssues(issues: readonly ListedIssue[]): ReadPlan {
  const ids = new Set(issues.map(({ number }) => `T-${number}`))
  const tasks = issues.map(({ number, title, body, status, assignees, milestone }) => {
    const [found] = readRoadmap(asItem(title, `\n${body}`)).tasks
    const read = found && toPlanTask(found)
    const dependsOn = [...body.matchAll(dependency)].flatMap(([, list = '']) =>
      [...list.matchAll(/#(\d{1,9})/g)].map(([, other]) => `T-${other}`),
    )
    return aPlanTask({
      ...read,
      ...{ id: `T-${number}`, title: title.replaceAll(/\s+/g, ' ').trim() || `Issue ${number}` },
      ...{ status, dependsOn: dependsOn.filter((id) => ids.has(id) && id !== `T-${number}`) },
      owner: assignees[0] ?? null,
      headings: milestone === null ? [] : [milestone],
    })
  })
  const many = issues.filter(({ assignees }) => assignees.length > 1)
  const notes = many.map(
    ({ number, assignees }) =>
      `T-${number}: a task has one owner; ${assignees.slice(1).join(', ')} ${assignees.length === 2 ? 'is' : 'are'} left out.`,
  )
  return { tasks, notes }
}

/** `Depends on #3, #4`, `**Blocked by**: #5` */
const dependency = /(?:depends on|blocked by)\W{0,8}((?:#\d{1,9}[\s,and]*)+)/gi
