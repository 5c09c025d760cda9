import type { ErrorType } from '../../core/domain/step-error.ts'
import { plainText } from './plain-text.ts'

/** Characters. */
const longestMessage = 160
const longestTool = 120

/**
 * Names an error, so that it is known when it comes again: its type, what it was in (a command, a
 * language), and its words without what differs each time.
 */
export function signatureOf(error: {
  readonly type: ErrorType
  readonly tool: string
  readonly message: string
}): string {
  const tool = oneLine(error.tool).slice(0, longestTool)
  return [error.type, tool, withoutParticulars(error.message)].join(' | ')
}

/** Quoted words, paths, hashes and numbers become marks. */
function withoutParticulars(message: string): string {
  const [first = ''] = plainText(message.slice(0, 2000)).trim().split('\n')
  return oneLine(
    first
      .replaceAll(/(['"`])[^'"`\n]{1,200}\1|[‘“][^’”\n]{1,200}[’”]/g, '<quoted>')
      .replaceAll(/(?:[A-Za-z]:)?[\w.@~+-]*(?:[\\/][\w.@~+-]+)+[\\/]?/g, '<path>')
      .replaceAll(
        /\b[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|cs|json|toml|ya?ml|md)\b/g,
        '<path>',
      )
      .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/g, '<hash>')
      .replaceAll(/\d+/g, '<n>'),
  ).slice(0, longestMessage)
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
