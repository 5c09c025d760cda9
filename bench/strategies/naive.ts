/** Naive: write, run the tests, ask again for everything. The prompt is what a plain script would send. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { fileBlock } from '../../harness/answer.ts'
import type { Model } from './model.ts'
import { runTests, writeTree } from './run-tests.ts'
import type { Task } from './task.ts'

export interface Spent {
  readonly requests: number
  /** Sent and received. */
  readonly tokens: number
}

const wanted =
  'Reply with files only. For each file: its path alone on a line, then a code fence with the whole file.'
const mostPaths = 300
const longestOutput = 8_000
/** Tokens that a prompt may have. */
const window = 128_000

/** The task, the paths of the repository, and the files that the task names. */
function naivePrompt({ text, accept, files }: Task): string {
  const paths = [...files.keys()]
  const named = paths.filter((path) => text.includes(`\`${path}\``))
  const shown = named.map((path) => fileBlock(path, files.get(path) ?? '')).join('')
  return `${text}\nMust pass: ${accept}\n\nFiles of the repository:\n${paths.slice(0, mostPaths).join('\n')}\n\n${shown}${wanted}`
}

/** Works in `root`, which holds the tree of the start. */
export async function workNaively(
  root: string,
  task: Task,
  model: Model,
  { requests: most, cache }: { readonly requests: number; readonly cache: string },
): Promise<Spent> {
  const messages = [{ role: 'user', content: naivePrompt(task) }]
  let [requests, tokens] = [0, 0]
  while (requests < most) {
    const sent = messages.reduce((sum, { content }) => sum + countTokens(content), 0)
    if (sent > window) break
    const answer = model.answer({ messages, purpose: null })
    requests += 1
    tokens += sent + countTokens(answer)
    const files = [...answer.matchAll(/^(\S+)\n(`{3,})\w*\n([\s\S]*?)^\2$/gm)].map(
      ([, path = '', , text = '']) => [path, text] as const,
    )
    await writeTree(
      root,
      files.filter(([path]) => !path.startsWith('/') && !path.includes('..')),
    )
    const { isGreen, output } = await runTests(root, task, cache)
    if (isGreen) break
    const failed = `The tests fail:\n${output.slice(-longestOutput)}\nReply with the whole files again.`
    messages.push({ role: 'assistant', content: answer }, { role: 'user', content: failed })
  }
  return { requests, tokens }
}
