/** Control sequences of terminals: CSI, OSC and two-character ones. */
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g

/** All control characters but tab and line feed. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Text as a person sees it: no colours, no control characters, line feeds only. */
export function plainText(text: string): string {
  return text.replace(escapes, '').replaceAll('\r\n', '\n').replace(controls, '')
}

/** Lines longer than this are data, not messages. */
const longestLine = 1000

export const linesOf = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line.length <= longestLine)
