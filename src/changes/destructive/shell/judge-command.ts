import { DOWNLOADED, type FindNested, type Harm, isKnown } from '../finding.ts'
import { type Call, callOf, harm, harmless } from './call.ts'
import { judgeCloud } from './judge-cloud.ts'
import { judgeContainers } from './judge-containers.ts'
import { judgeDatabase } from './judge-database.ts'
import { judgeFiles } from './judge-files.ts'
import { judgeGit } from './judge-git.ts'
import { judgeSystem } from './judge-system.ts'

const judges: readonly ((call: Call, look: FindNested) => readonly Harm[])[] = [
  judgeFiles,
  judgeGit,
  judgeDatabase,
  judgeContainers,
  judgeCloud,
  judgeSystem,
  judgeInner,
]

/** What one call of a program destroys, by its name and arguments. The name stands without a folder. */
export function judgeCommand(argv: readonly string[], look: FindNested): readonly Harm[] {
  const [program] = argv
  if (program === undefined || !isKnown(program)) return harmless
  const call = callOf(argv)
  return judges.flatMap((judge) => judge(call, look))
}

const remote = 'It runs a script straight from the network, whatever that holds.'

/** A script in an argument: `bash -c '…'`, `ssh host '…'`, `eval …`, `node -e '…'`. */
function judgeInner(call: Call, look: FindNested): readonly Harm[] {
  const { program, words } = call
  const found = innerScript(call)
  if (found !== null) return harmsOf(look('shell', found))
  if (/^(?:sh|bash|zsh|dash|ksh|ash|fish|eval|source|\.)$/.test(program)) {
    return words.some((word) => word.includes(DOWNLOADED)) ? harm('system', remote) : harmless
  }
  if (/^(?:node|bun|deno|tsx)$/.test(program)) {
    const script =
      call.value('-e', '-p', '--eval', '--print') ?? (words[0] === 'eval' ? words[1] : null)
    return script ? harmsOf(look('javascript', script)) : harmless
  }
  if (/^(?:python|pypy)[\d.]*$/.test(program)) return inner(call.value('-c'), 'python')
  if (program === 'ruby') return inner(call.value('-e'), 'ruby')
  if (program === 'perl') return inner(call.value('-e', '-E', '-ne', '-pe'), 'perl')
  if (program === 'php') return inner(call.value('-r'), 'php')
  return harmless

  function inner(script: string | null, language: 'python' | 'ruby' | 'perl' | 'php') {
    return script === null ? harmless : harmsOf(look(language, script))
  }
}

function innerScript(call: Call): string | null {
  const { program, words, operands } = call
  if (/^(?:sh|bash|zsh|dash|ksh|ash|fish)$/.test(program)) {
    const at = words.findIndex((word) => /^-[a-z]*c$/.test(word))
    const script = at < 0 ? undefined : words.slice(at + 1).find((word) => !/^-/.test(word))
    return script?.includes(DOWNLOADED) === false ? script : null
  }
  if (program === 'eval') {
    return words.some((word) => word.includes(DOWNLOADED)) ? null : words.join(' ')
  }
  if (program === 'su' || program === 'runuser') return call.value('-c', '--command')
  if (program === 'npx') return call.value('-c', '--call')
  if (program === 'env') return call.value('-S', '--split-string')
  if (program === 'script') return call.value('-c', '--command')
  if (program === 'trap') return operands[0] ?? null
  if (program === 'cmd') {
    const at = words.findIndex((word) => /^\/[ckCK]$/.test(word))
    return at < 0 ? null : words.slice(at + 1).join(' ')
  }
  if (program === 'powershell' || program === 'pwsh') {
    const at = words.findIndex((word) => /^-c(?:ommand)?$/i.test(word))
    return at < 0 ? null : words.slice(at + 1).join(' ')
  }
  if (/^(?:concurrently|npm-run-all|nodemon|onchange|chokidar|wait-on)$/.test(program)) {
    return [...operands, call.value('--exec', '-x') ?? ''].join('\n')
  }
  return program === 'ssh' ? overSsh(words) : null
}

/** What stands behind the host. */
function overSsh(words: readonly string[]): string | null {
  let at = 0
  while (at < words.length && /^-./.test(words[at] ?? '')) {
    at += /^-[BbcDEeFIiJLlmOopQRSWw]$/.test(words[at] ?? '') ? 2 : 1
  }
  const rest = words.slice(at + 1)
  return rest.length === 0 ? null : rest.join(' ')
}

const harmsOf = (harms: readonly Harm[]): readonly Harm[] =>
  harms.map(({ category, why }) => ({ category, why }))
