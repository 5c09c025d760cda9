import { openTree } from '../../../packages/change/change.ts'
import { languageOf } from '../../../packages/source/source.ts'
import type { Task } from '../../../packages/task/task.ts'
import type { Ports } from '../../core/ports.ts'
import { findTargets } from '../../model/context/similar-files.ts'

const whatLinks: Readonly<Record<string, string>> = {
  '120000': 'is a symbolic link: name the file that it leads to',
  '160000': 'belongs to another repository (submodule)',
}

/** Files that a task may name only to have them read. */
const isData = /^(?:html|jsonc?|sql|toml|unknown|xml|yaml)$/

/**
 * Says why no answer could change the files of a task: each is a link, or code or prose that is too large or not UTF-8.
 * `null` where one can be changed, or where the words leave open which files these are.
 */
export async function whyUnwritable(
  task: Task,
  sha: string,
  workspace: Ports['workspace'],
): Promise<string | null> {
  const { files, paths, read } = await openTree(sha, workspace)
  const targets = findTargets(task, null, paths)
  if (targets.length === 0) return null
  const links = files.filter(({ mode }) => whatLinks[mode])
  const texts = await read(targets)
  const reasons = targets.flatMap((path) => {
    if (texts.has(path)) return []
    const link = links.find((each) => `${path}/`.startsWith(`${each.path}/`))
    if (link !== undefined) return `${link.path} ${whatLinks[link.mode]}`
    if (!paths.includes(path) || isData.test(languageOf(path))) return []
    return `${path} is larger than 1 MB or not UTF-8 text, which iconv makes of it`
  })
  return reasons.length === targets.length ? reasons.join('; ') : null
}
