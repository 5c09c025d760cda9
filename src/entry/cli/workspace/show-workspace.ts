import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../../../packages/files/files.ts'
import type { Report } from '../../../publish/report/build-report.ts'
import {
  buildWorkspaceReport,
  type WorkspaceReport,
  writeWorkspaceReport,
} from '../../../publish/report/workspace-report.ts'
import { paintMark } from '../../progress/tell-run.ts'
import type { Terminal } from '../terminal.ts'
import type { OpenedWorkspace } from './open-workspace-file.ts'

export async function reportOn(
  { names, doors, sets, repositoryOf }: OpenedWorkspace,
  reports: ReadonlyMap<string, readonly Report[]>,
): Promise<WorkspaceReport> {
  const members = await Promise.all(
    names.map(async (name) => ({
      name,
      root: repositoryOf(name).root,
      runs: reports.get(name) ?? [],
      standing: await doors.standing(name),
      waits: (await doors.ready(name)).waits,
    })),
  )
  return buildWorkspaceReport(members, sets)
}

export async function keepReport(directory: string, report: WorkspaceReport): Promise<void> {
  const place = join(directory, '.executor')
  await mkdir(place, { recursive: true })
  // The folder need not be in a repository, and its contents belong in none.
  await writeFile(join(place, '.gitignore'), '*\n')
  await replaceFile(join(place, 'workspace.json'), `${JSON.stringify(report, null, 2)}\n`)
  await replaceFile(join(place, 'workspace.md'), writeWorkspaceReport(report))
}

export function showWorkspace(
  report: WorkspaceReport,
  { json }: { readonly json?: boolean },
  terminal: Terminal,
): void {
  if (json) {
    terminal.print(JSON.stringify(report, null, 2))
    return
  }
  for (const { id, title, outcome, reason, branch } of report.tasks) {
    const mark = outcome === 'ready' ? '○' : paintMark(outcome, terminal.paint)
    const where = branch === null ? '' : ` on ${branch}`
    terminal.say(
      `${mark} ${id} ${outcome}${where}  ${title}${reason === '' ? '' : `\n    ${reason}`}`,
    )
  }
  for (const { name, status, advice } of report.sets) {
    terminal.say(`set ${name}: ${status}${advice === '' ? '' : `. ${advice}`}`)
  }
  terminal.say(
    `${report.done} done, ${report.failed} failed, ${report.open} open, ${report.tokens} tokens`,
  )
}
