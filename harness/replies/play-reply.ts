/** One answer, read, gated, checked and made in memory, as `executor apply` does it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApplyResult, apply } from '../../src/entry/cli/commands/apply.ts'
import type { FileChange } from '../answer.ts'
import type { Outcome } from './case-line.ts'

/**
 * @param folder the tree as it is before
 * @param changes what was meant; the answer came from them
 */
export async function playReply(
  folder: string,
  answer: string,
  changes: readonly FileChange[],
): Promise<{ readonly outcome: Outcome; readonly reason: string }> {
  const { files, refused } = await applied(folder, answer)
  if (refused.length > 0) {
    const reason = refused.map(({ path, reason }) => `${path}: ${reason}`).join('; ')
    return { outcome: 'refused', reason }
  }
  const meant = new Map(changes.map(({ path, after }) => [path, after]))
  const others = files.filter(({ path, content }) => meant.get(path) !== content)
  const left = changes.filter(({ path }) => !files.some((file) => file.path === path))
  const paths = [...others, ...left].map(({ path }) => path)
  if (files.length === 0) return { outcome: 'refused', reason: 'no file in it' }
  return paths.length === 0
    ? { outcome: 'right', reason: '' }
    : { outcome: 'wrong', reason: `differs in ${paths.join(', ')}` }
}

async function applied(folder: string, answer: string): Promise<ApplyResult> {
  const directory = await mkdtemp(join(tmpdir(), 'executor-reply-'))
  const printed: string[] = []
  try {
    await writeFile(join(directory, 'answer.md'), answer)
    await apply(
      'answer.md',
      { repo: folder, json: true },
      {
        ...{ directory, environment: {}, isTTY: false, live: null, say() {} },
        print: (text) => void printed.push(text),
        paint: (_, text) => text,
        redact: (text) => text,
      },
    )
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
  return JSON.parse(printed.join(''))
}
