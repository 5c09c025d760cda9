/** Makes the prompt of a subject with the code of this checkout, or of another one. */

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Task } from '../../packages/task/task-schema.ts'
import { charactersPerToken } from '../../packages/text/words/words.ts'
import { lookUpIn } from '../../src/adapters/git-workspace/grep.ts'
import { createTreeReader, readTexts } from '../../src/adapters/git-workspace/trees.ts'
import { createSystemClock } from '../../src/adapters/system.ts'
import type { CodeIndex } from '../../src/core/ports/code-index.ts'
import type * as contexts from '../../src/model/context/build-context.ts'
import type * as drafts from '../../src/model/prompts/draft.ts'
import { project } from '../workshop.ts'
import type { Subject } from './subjects.ts'

export type Gather = (
  subject: Subject,
  input: Pick<contexts.ContextInput, 'files' | 'read'> & Partial<contexts.ContextInput>,
) => Promise<readonly Shown[]>

interface Shown {
  readonly path: string
  readonly text: string
  readonly whole: boolean
}

/** Tokens of the prompt that count. */
const firstTokens = 5_000
/** The default of `context-tokens`. */
const budgetTokens = 12_000

const task: Omit<Task, 'title'> = {
  ...{ id: 'T-1', fingerprint: '', details: '', line: 1, endLine: 1 },
  status: 'pending',
  ...{ headings: [], phase: null, section: null, files: [], dependsOn: [], accept: [] },
  ...{ verify: null, model: null, priority: 0, subtasks: [], budget: null },
}

/** The files, or their parts, within the first tokens of the request for a change. */
export async function gatherWith(checkout: string = project): Promise<Gather> {
  const load = (path: string) => import(pathToFileURL(join(checkout, 'src/model', path)).href)
  const { buildPromptContext }: typeof contexts = await load('context/build-context.ts')
  const { draftPrompt }: typeof drafts = await load('prompts/draft.ts')
  return async ({ text }, input) => {
    const asked = { ...task, title: text }
    const known = { task: asked, plan: null, budgetTokens, roadmap: 'ROADMAP.md' }
    const context = await buildPromptContext({ ...known, ...input })
    if (context.status !== 'built') return []
    const { map, files, targets } = context
    const about = { task: asked, plan: null, map, files, targets, form: 'edits' } as const
    const shown = { ...about, history: null, feedback: null }
    const prompt = draftPrompt(shown)
      .map(({ content }) => content)
      .join('\n')
      .slice(0, firstTokens * charactersPerToken)
    let at = 0
    return files.flatMap(({ path, text: part, whole }) => {
      const start = prompt.indexOf(`${path}${whole ? '' : ' ('}`, at)
      const fence = start < 0 ? -1 : prompt.indexOf('\n', prompt.indexOf('\n', start) + 1) + 1
      if (fence <= 0) return []
      at = Math.min(prompt.length, fence + part.length)
      return [{ path, text: prompt.slice(fence, at), whole }]
    })
  }
}

/** Reads trees of bare clones; the index of each is kept in a folder of its own. */
export function openTrees(directory: string) {
  const opened = new Map<string, ReturnType<typeof openTree>>()
  return async ({ clone, parent, repository }: Subject) => {
    const home = join(directory, repository.replace('/', '+'))
    const { read, lookUp, readTree } = opened.get(clone) ?? openTree(clone, home)
    opened.set(clone, { read, lookUp, readTree })
    return {
      files: [...(await readTree(parent)).values()],
      read: (paths: readonly string[]) => read(parent, paths),
      lookUp: <T>(paths: readonly string[], ask: (index: CodeIndex) => T) =>
        lookUp(parent, paths, ask),
    }
  }
}

function openTree(clone: string, directory: string) {
  const place = { gitDir: clone, home: clone, work: clone }
  const readTree = createTreeReader(place)
  const note = (line: string): never => {
    throw new Error(line)
  }
  const index = { directory, clock: createSystemClock(), note }
  return {
    readTree,
    read: async (sha: string, paths: readonly string[]) =>
      readTexts(place, await readTree(sha), paths),
    lookUp: lookUpIn(index, place, readTree),
  }
}
