import { contentAfter, type FileChange } from '../../core/domain/change-set.ts'
import type { CodeProblem } from '../../core/domain/problem.ts'
import { findHiddenText } from '../../text/hidden/hidden-text.ts'
import { findKeys } from '../../text/secrets/find-keys.ts'

/** Bytes of UTF-8. More is generated or hostile, and no reviewer reads it. */
const longestFile = 1024 * 1024

/** How archives, pictures and programs begin, as far as it survives in text. */
const binaryStarts = [
  'PK\x03\x04',
  'PK\x05\x06',
  '%PDF-',
  '\x7FELF',
  '\x89PNG',
  '\uFFFDPNG',
  'GIF87a',
  'GIF89a',
  '\x1F\x8B',
  '\x1F\uFFFD',
  'BZh9',
  '7z\xBC',
  'Rar!\x1A',
  '\xFF\xD8\xFF',
  '\uFFFD\uFFFD\uFFFD',
]

/** What is wrong with a file's new text, whatever its language. */
export function checkContent(change: FileChange): readonly CodeProblem[] {
  const text = contentAfter(change)
  const { path } = change
  if (text === undefined) return []
  const bytes = Buffer.byteLength(text)
  if (bytes > longestFile)
    return [problem(path, 'size', `has ${bytes} bytes, at most ${longestFile} are allowed`)]
  if (isBinary(text)) return [problem(path, 'binary', 'is not text')]
  const before = change.action === 'modify' ? change.before : ''
  const hidden = findHiddenText(path, text, before).map(({ what, line, column }) => ({
    path,
    type: 'hidden_text',
    message: `has ${what}; write it as an escape or leave it out`,
    line,
    column,
  }))
  return [...hidden, ...newKeys(path, text, before)]
}

/** Keys that the old text does not have. What is plainly a placeholder is none. */
function newKeys(path: string, text: string, before: string): readonly CodeProblem[] {
  return findKeys(text)
    .filter(({ start, end }) => !before.includes(text.slice(start, end)))
    .slice(0, mostKeys)
    .map(({ what, start }) => {
      const lines = text.slice(0, start).split('\n')
      const message = `has what looks like ${what}; read it from the environment, or write an obvious placeholder with EXAMPLE in it`
      return {
        path,
        type: 'secret',
        message,
        line: lines.length,
        column: (lines.at(-1)?.length ?? 0) + 1,
      }
    })
}

/** Problems shown of one file; more say nothing new. */
const mostKeys = 3

function isBinary(text: string): boolean {
  return (
    text.includes('\0') ||
    !text.isWellFormed() ||
    binaryStarts.some((start) => text.startsWith(start))
  )
}

export function problem(path: string, type: string, message: string): CodeProblem {
  return { path, type, message, line: 0, column: 0 }
}
