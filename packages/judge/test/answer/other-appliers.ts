/** Other ways to apply an edit, which the score compares with ours on the same cases. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Result } from '../../../../scores/score.ts'
import { readEdits } from '../../answer/read-edits.ts'
import type { FaultyEdit } from './faulty-edits.ts'

/** `git apply` on the bare diff, without the fence and the prose around it. */
export async function judgeByGit(cases: readonly FaultyEdit[]): Promise<readonly Result[]> {
  const root = mkdtempSync(join(tmpdir(), 'git-apply-'))
  try {
    return cases.map(({ edit, diff }) => {
      const file = join(root, edit.path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, edit.before)
      const { status } = spawnSync('git', ['apply', '-'], {
        cwd: root,
        input: diff,
        env: { PATH: process.env.PATH, GIT_CEILING_DIRECTORIES: root },
      })
      return status === 0 ? compare(readFileSync(file, 'utf8'), edit) : 'refused'
    })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Each SEARCH must be in the file exactly once, character for character. */
export function judgeExactly({ edit: meant, answer }: FaultyEdit): Result {
  let text = meant.before
  for (const block of readEdits(answer.split('\n')) ?? []) {
    const [edit] = block.kind === 'edits' ? block.edits : []
    if (edit === undefined) continue
    const { search, replace } = edit
    const [before, after, ...more] = text.split(search)
    if (before === undefined || after === undefined || more.length > 0) return 'refused'
    text = `${before}${replace}${after}`
  }
  return compare(text, meant)
}

function compare(text: string, { before, after }: FaultyEdit['edit']): Result {
  if (text === after) return 'right'
  return text === before ? 'refused' : 'wrong'
}
