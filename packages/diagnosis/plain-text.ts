import { terminalText } from '../text/text.ts'

/** All control characters except tab and line feed. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/**
 * Returns a text as a terminal shows it: without colours, concealed or overwritten words, and
 * control characters; line feeds only.
 */
export const plainText = (text: string): string => terminalText(text).replace(controls, '')

/** Lines that say nothing: empty ones, npm's and Maven's hints for more, stack frames of Node. */
const empty: readonly RegExp[] = [
  /^[\s{}]*$/,
  /^npm error (?:\d+\s*$|A complete log of this run )/,
  /^\[ERROR\] (?:$|To see the full |Re-run Maven |For more information |\[Help )/,
  /^\s+at .{1,400}:\d+:\d+\)?(?: \{)?$|^Node\.js v\d/,
]

/** Returns the last lines of an output that say anything. */
export const lastLines = (output: string, most: number): readonly string[] =>
  plainText(output)
    .split('\n')
    .filter((line) => !empty.some((words) => words.test(line)))
    .slice(-most)

/** Lines longer than this are data, not messages. */
export const longestLine = 1000

export const messageLines = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line.length <= longestLine)
