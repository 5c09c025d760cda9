import type { Harm } from '../finding.ts'
import { type Call, callOf, harm, harmless } from './call.ts'

const valued = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path'])

/** git commands that lose commits, branches or uncommitted work. */
export function judgeGit({ program, words }: Call): readonly Harm[] {
  if (program === 'gh' || program === 'glab' || program === 'hub') return judgeForge(words)
  if (program === 'bfg' || program === 'git-filter-repo') return harm('git', rewritten)
  if (program !== 'git') return harmless
  let at = 0
  while (at < words.length && /^-./.test(words[at] ?? '')) at += valued.has(words[at] ?? '') ? 2 : 1
  const call = callOf(words.slice(at))
  const why = Object.hasOwn(commands, call.program) ? commands[call.program]?.(call) : null
  return why ? harm('git', why) : harmless
}

const rewritten = 'It rewrites history that others may have.'
const discards = 'It throws away changes that were not committed.'
const loses = 'It lets go of commits that nothing else may hold.'

const commands: Readonly<Record<string, (call: Call) => string | null>> = {
  push: judgePush,
  'force-push': () => rewritten,
  reset: (call) => (call.has('--hard') ? discards : null),
  clean: (call) =>
    call.has('-f', '--force') && !call.has('-n', '--dry-run')
      ? 'It deletes files that git does not know.'
      : null,
  checkout: (call) =>
    call.has('-f', '--force') || call.operands.includes('.') || call.operands.includes(':/')
      ? discards
      : null,
  switch: (call) => (call.has('-f', '--force', '--discard-changes') ? discards : null),
  restore: (call) => {
    const onlyStaged = call.has('-S', '--staged') && !call.has('-W', '--worktree')
    const whole = call.operands.some((path) => /^(?:\.|:\/|\*)$/.test(path))
    return whole && !onlyStaged ? discards : null
  },
  stash: ({ words }) => (/^(?:drop|clear)$/.test(words[0] ?? '') ? discards : null),
  branch: (call) =>
    call.has('-D') || (call.has('-d', '--delete') && call.has('-f', '--force')) ? loses : null,
  'filter-branch': () => rewritten,
  'filter-repo': () => rewritten,
  reflog: ({ words }) => (/^(?:expire|delete)$/.test(words[0] ?? '') ? loses : null),
  'update-ref': (call) => (call.has('-d') ? loses : null),
  gc: (call) => (/^(?:now|all)$/.test(call.value('--prune') ?? '') ? loses : null),
  prune: (call) => (call.has('-n', '--dry-run') ? null : loses),
  rm: (call) => (call.has('-r') && call.has('-f', '--force') ? discards : null),
  worktree: (call) => (call.words[0] === 'remove' && call.has('-f', '--force') ? discards : null),
  submodule: (call) => (call.words[0] === 'deinit' && call.has('-f', '--force') ? discards : null),
}

function judgePush(call: Call): string | null {
  if (call.has('-n', '--dry-run')) return null
  if (call.has('-d', '--delete', '--prune', '--mirror'))
    return 'It deletes branches of the remote repository.'
  if (call.has('-f', '--force', '--force-with-lease')) return rewritten
  const refs = call.operands.slice(1)
  if (refs.some((ref) => /^\+./.test(ref))) return rewritten
  return refs.some((ref) => /^:./.test(ref))
    ? 'It deletes branches of the remote repository.'
    : null
}

function judgeForge(words: readonly string[]): readonly Harm[] {
  const [group = '', action = ''] = words
  const isDelete =
    action === 'delete' && /^(?:repo|release|project|secret|variable|issue|gist|cache)$/.test(group)
  const at = words.findIndex((word) => /^(?:-X|--method)$/.test(word))
  const isCall =
    group === 'api' &&
    ((words[at + 1] === 'DELETE' && at > 0) ||
      words.includes('-XDELETE') ||
      words.includes('--method=DELETE'))
  return isDelete || isCall
    ? harm('git', 'It deletes something of the repository on the server.')
    : harmless
}
