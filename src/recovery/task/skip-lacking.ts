import type { Diagnosis } from '../../core/domain/diagnosis.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Task } from '../../core/domain/task.ts'
import { isLeft } from '../../roadmap/standing/is-left.ts'
import { untouchedResult } from '../../roadmap/standing/untouched-result.ts'

/**
 * The results with a verdict for each open task that names a package of which the last verdict says that it
 * is not installed: it would be paid for in vain. One that is to bring the package is left to be tried.
 */
export function skipLacking(
  state: Pick<RunState, 'results' | 'only'>,
  cause: Diagnosis | undefined,
  order: readonly Task[],
): RunState['results'] {
  const { lacks, language, message, install } = cause ?? {}
  if (cause === undefined || language === undefined || lacks == null) return state.results
  const names = [lacks, install?.split(' ').at(-1) ?? lacks]
  const reason = `${message}${install == null ? '' : ` Install it: ${install}`}`
  const skipped = order
    .filter((task) => isLeft(state, task.id) && names.some((name) => needs(task, name)))
    .map((task) => {
      const facts = { verdict: 'skipped', reason, diagnosis: cause, thisRun: true } as const
      return [task.id, untouchedResult(task, facts)] as const
    })
  return { ...state.results, ...Object.fromEntries(skipped) }
}

const manifests =
  /(?:^|\/)(?:package\.json|pyproject\.toml|[\w-]*requirements[\w-]*\.txt|go\.mod|Cargo\.toml|Gemfile)$/
const brings = /\b(?:install|declare|dependenc(?:y|ies)|replace|remove|without|instead of)\b/i

/** Names it as code or as a package: a word of English may be the name of one, too. */
function needs({ title, details, files }: Task, name: string): boolean {
  const text = [title, details].join('\n')
  if (brings.test(text) || files.some((path) => manifests.test(path))) return false
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
  const isInCode = spans.some(
    (code) =>
      code.split(/[^\w@/.-]+/).includes(name) || (code.includes(`${name}.`) && code.includes('(')),
  )
  const words = text.split(/[^\w@/.-]+/)
  const isCalled = words.some(
    (word, at) =>
      word === name &&
      [words[at - 1], words[at + 1]].some((next) =>
        /^(?:package|library|module|gem|crate|import|require)$/i.test(next ?? ''),
      ),
  )
  return isInCode || isCalled
}
