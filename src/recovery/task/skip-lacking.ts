import { openTree } from '../../../packages/change/change.ts'
import type { Diagnosis } from '../../../packages/diagnosis/diagnosis.ts'
import { findNamedFiles, importStatements, isDeclaring } from '../../../packages/source/source.ts'
import type { Task } from '../../../packages/task/task.ts'
import { codeSpans } from '../../../packages/text/text.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import type { Ports } from '../../core/ports.ts'
import { isLeft } from '../../tasks/standing/is-left.ts'
import { untouchedResult } from '../../tasks/standing/untouched-result.ts'

/**
 * Gives a verdict to each open task that needs a package which, by the last verdict, is not installed: its request
 * would be wasted. A task needs a package when the code in its words, or a file that it names, imports or calls it; a
 * mere mention does not count. A task that may install the package, or do without it, is still tried.
 */
export async function skipLacking(
  state: StateFacts<'tasks.results' | 'run.only' | 'roadmap.base'>,
  cause: Diagnosis | undefined,
  order: readonly Task[],
  { workspace }: Pick<Ports, 'workspace'>,
): Promise<RunState['tasks']['results']> {
  const { lacks, language } = cause ?? {}
  const open = order.filter((task) => isLeft(state, task.id) && !doesWithout.test(wordsOf(task)))
  if (cause === undefined || language === undefined || lacks == null || open.length === 0)
    return state.tasks.results
  const { paths, read } = await openTree(state.roadmap.base.sha, workspace)
  const named = new Map(open.map((task) => [task, findNamedFiles(task, [], paths)]))
  const all = [...named.values()].flatMap(({ scope, mentioned }) => [...scope, ...mentioned])
  const texts = await read([...new Set(all)])
  const isImported = (path: string) => imports(path, texts.get(path) ?? '', lacks)
  const needs = (task: Task): boolean => {
    const { scope = [], mentioned = [], fresh = [] } = named.get(task) ?? {}
    const files = [...scope, ...mentioned, ...fresh]
    if (files.some((path) => isDeclaring(path))) return false
    const isInAll = files.length > 0 && files.every(isImported)
    return isInAll || saysUse(wordsOf(task), cause)
  }
  const skipped = open.filter(needs).map((task) => [task.id, skippedFor(task, cause)] as const)
  return { ...state.tasks.results, ...Object.fromEntries(skipped) }
}

/** The result of a task that is skipped while this cause persists. */
export function skippedFor(task: Task, diagnosis: Diagnosis): TaskResult {
  const { message, install } = diagnosis
  const reason = `${message}${install === null ? '' : ` Install it: ${install}`}`
  return untouchedResult(task, { verdict: 'skipped', reason, diagnosis, thisRun: true })
}

const doesWithout =
  /\b(?:install|declar|dependenc|vendor|bundl|bring|replac|remov|delet|drop|strip|without|instead|rather|avoid|no longer|never|not\b|don.t|(?:keep|leave|tak)[^.\n]{1,80} out\b|rid of|migrat|switch|swap|mock|fake|stub|optional|fall|unless|missing|unavailable|absent)/i

const wordsOf = ({ title, details }: Task): string => `${title}\n${details}`

const calls = /(?<![\w.@/-])([\w-]+)(?:\.|::)[\w.]+\(/g
const usesPackage =
  /\b(?:us(?:e|es|ing)|with|via) (?:the )?(?:(?:package|library|module|gem|crate) ([\w@./-]*\w)|([\w@./-]+) (?:package|library|module|gem|crate)\b)/gi

/** Requires code, or the word "package": an English word may be the name of one, too. */
function saysUse(text: string, { lacks, language, install }: Diagnosis): boolean {
  const name = language === 'go' ? lacks?.replace(/^.*\//, '') : lacks
  const isUsed = (code: string) =>
    [...code.matchAll(calls)].some(([, called]) => called === name) ||
    imports(`code.${endings[language ?? '']}`, code.replace(/^[ \t]+/gm, ''), lacks ?? '')
  const said = [...text.replaceAll('`', '').matchAll(usesPackage)].map(([, a, b = a]) => b)
  return (
    codeSpans(text).some(isUsed) ||
    said.some((each) => each === lacks || each === install?.split(' ').at(-1))
  )
}

const endings: Readonly<Record<string, string>> = { javascript: 'ts', python: 'py' }
/** An import that runs whenever the file is loaded: not guarded, not deferred, not of types only. */
const isAtTop = /^(?:import(?! type\b)|from|export|const|let|var)\b/
/** For languages without an import reader. */
const otherImport =
  /^(?:(?:require|import|use|using)\b[ \t]*\(?["'<]?|[ \t]*(?:[\w.]+ )?"(?=[\w.-]+\.\w+\/))([\w@./:\\-]+)/gm

function imports(path: string, text: string, name: string): boolean {
  const lines = text.split('\n')
  const read = importStatements(path, text)
    .filter(({ line }) => isAtTop.test(lines[line - 1] ?? ''))
    .map(({ specifier }) => specifier)
  const isRead = /\.(?:[cm]?[jt]sx?|pyi?)$/.test(path)
  const others = isRead
    ? []
    : [...text.matchAll(otherImport)].map(([, specifier = '']) => specifier)
  return [...read, ...others].some(
    (each) => each.startsWith(name) && /^(?:$|[./:\\])/.test(each.slice(name.length)),
  )
}
