/** Answers that are not of the form that was asked for, each as models get it wrong. */
import type { FormFault } from './faults.ts'

export function withFormFault(answer: string, fault: FormFault | null): string {
  switch (fault) {
    case null:
      return answer
    case 'truncation':
      return answer.slice(0, Math.floor(answer.length * 0.6))
    case 'prose around':
      return `Sure! Here is what I would change. First, find the place:\n\n${answer.replaceAll(/^(<<<<<<< SEARCH|=======|>>>>>>> REPLACE|```\w*)$/gm, '')}\nThis should solve it. Let me know if you need anything else.`
    case 'drifted edit':
      return driftEdits(answer)
    case 'wrong path':
      return answer.replaceAll(/^([\w./-]+)(?=\n```)/gm, (path) => wrongPath(path))
    case 'repetition':
      return answer + answer.slice(0, Math.ceil(answer.length / 2)).repeat(2)
  }
}

/** The second line of each SEARCH is as the model remembers it, not as it is. */
function driftEdits(answer: string): string {
  if (!answer.includes('<<<<<<< SEARCH')) return answer.replace(/^```\n/m, '')
  return answer.replaceAll(
    /(<<<<<<< SEARCH\n(?:[^\n]*\n)?)([^\n]*)/g,
    (_, head: string, line: string) =>
      `${head}${line.replace(/(\w{3,})(?!.*\w{3,})/, '$1Value').replace(/\(/, '( ')}`,
  )
}

/** The folder that models put before a path, or the name that they remember. */
export const wrongPath = (path: string): string =>
  path.includes('/') ? path.replace(/([^/]+)$/, 'core/$1') : `src/${path}`
