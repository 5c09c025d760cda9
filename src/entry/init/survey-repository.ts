import { posix } from 'node:path'
import { testsOf } from '../../../packages/judge/judge.ts'
import { readDocument } from '../../../packages/roadmap/roadmap.ts'
import { isToDo } from '../../../packages/task/task.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { mainLanguage, type SampleLanguageId } from './sample-roadmap.ts'

/** The findings of `executor init` in a repository. */
export interface Surroundings {
  readonly language: { readonly id: SampleLanguageId; readonly files: number } | null
  /** Commands that would verify a task, as a person types them. */
  readonly tests: readonly string[]
  /** Files that set up continuous integration. */
  readonly ci: readonly string[]
  /** Names of the GitHub Actions workflows among them that check pull requests. */
  readonly workflows: readonly string[]
  readonly roadmap: FoundRoadmap | null
}

interface FoundRoadmap {
  readonly path: string
  readonly open: number
  readonly tasks: number
}

type Read = (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>

const ciFile =
  /^(?:\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.yml|\.circleci\/config\.yml|azure-pipelines\.yml|Jenkinsfile|\.travis\.yml|\.drone\.yml|bitbucket-pipelines\.yml)$/
const roadmapFile =
  /^(?:docs?\/|\.github\/)?(?:roadmap|to-?dos?|tasks|plan|backlog)(?:\.(?:md|markdown|txt))?$/i
const ownWorkflow = '.github/workflows/executor.yml'

/** @param read returns the texts of the files that exist and are text */
export async function surveyRepository(
  files: readonly string[],
  read: Read,
  settings: Settings,
): Promise<Surroundings> {
  const { commands } = await testsOf({ paths: files, read }, settings.verify)
  const main = mainLanguage(files)
  const ci = files.filter((path) => ciFile.test(path) && path !== ownWorkflow).sort()
  const workflows = ci.filter((path) => path.startsWith('.github/'))
  const texts = await read(workflows)
  return {
    language: main && { id: main.id, files: main.files.length },
    tests: commands,
    ci,
    workflows: workflows.flatMap((path) => {
      const text = texts.get(path) ?? ''
      return /\bpull_request\b/.test(text) ? [nameOfWorkflow(path, text)] : []
    }),
    roadmap: await findRoadmap(files, read, settings),
  }
}

/** GitHub calls a workflow without a name by its path. */
function nameOfWorkflow(path: string, text: string): string {
  const [, name] = /^name:[ \t]*(["']?)(.+?)\1[ \t]*(?:#.*)?$/m.exec(text)?.slice(1) ?? []
  return name?.trim() ?? path
}

/** The configured roadmap if it exists, else the first list of tasks in a file with a usual name. */
async function findRoadmap(
  files: readonly string[],
  read: Read,
  settings: Settings,
): Promise<FoundRoadmap | null> {
  const depth = (path: string) => path.split('/').length
  const others = files
    .filter((path) => roadmapFile.test(path) && posix.basename(path).toLowerCase() !== 'plan')
    .sort((a, b) => depth(a) - depth(b) || a.localeCompare(b))
  const named = files.includes(settings.roadmap) ? [settings.roadmap] : others
  const texts = await read(named)
  const found = named.flatMap((path) => {
    const text = texts.get(path)
    if (text === undefined) return []
    const { tasks } = readDocument(text, settings).roadmap
    return [{ path, tasks: tasks.length, open: tasks.filter(isToDo).length }]
  })
  const withTasks = found.find(({ tasks }) => tasks > 0)
  return withTasks ?? found.find(({ path }) => path === settings.roadmap) ?? null
}
