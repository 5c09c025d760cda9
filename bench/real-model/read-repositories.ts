/** A folder of repositories, each with a ROADMAP.md whose first open task has an **Accept** command. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RealTask, TaskReader } from './real-task.ts'

export const readRepositories: TaskReader = async (folder, { n }) => {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const read = await Promise.all(names.toSorted().map((name) => readOne(folder, name)))
  return read.filter((task) => task !== null).slice(0, n)
}

async function readOne(folder: string, name: string): Promise<RealTask | null> {
  const root = join(folder, name)
  const roadmap = await readFile(join(root, 'ROADMAP.md'), 'utf8').catch(() => '')
  const found = findAccepted(roadmap)
  if (found === null) return null
  const listed = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = listed
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !/(?:^|\/)(?:\.git|\.executor|node_modules)\//.test(path))
  const tests = paths.filter((path) => testFile.test(path))
  const named = paths.filter((path) => found.text.includes(`\`${path}\``))
  return {
    ...{ id: name, roadmapId: found.id, text: found.text, start: { name, from: { folder: root } } },
    files: named.filter((path) => !testFile.test(path)),
    shown: tests.filter((path) => found.command.includes(path) || named.includes(path)),
    guarded: tests,
    command: found.command,
  }
}

const testFile = /(?:^|\/)(?:tests?|specs?|__tests__)\/|(?:^|\/)test_|[._-](?:test|spec)\.\w+$/

/** The first open task with such a command, and its line with the details below it. */
export function findAccepted(
  roadmap: string,
): { readonly id: string; readonly text: string; readonly command: string } | null {
  for (const [, id = '', title = '', details = ''] of roadmap.matchAll(
    /^- \[ \] ([\w-]+): (.+)\n((?:[ \t]+.*\n?)*)/gm,
  )) {
    const command = /\*\*Accept\*\*: *`([^`]+)`/.exec(details)?.[1]
    if (command !== undefined) return { id, text: `${title}\n${details}`.trim(), command }
  }
  return null
}
