import type { Receipt } from '../../../packages/judge/judge.ts'
import { countOf, oneLine } from '../../../packages/text/text.ts'
import {
  describeNewTests,
  describeReceipt,
  describeUnshown,
} from '../../publish/report/describe-verification.ts'
import { type CheckReport, nameOfBase, nameOfChange } from '../../runs/check/check-report.ts'
import type { CheckFinding } from '../../runs/check/check-rules.ts'
import type { Terminal } from './terminal.ts'

const verdicts = {
  passed: ['green', '✔ Passed'],
  unverified: ['yellow', '● Not verified'],
  failed: ['red', '✖ Not passed'],
} as const

const colours = { error: 'red', warning: 'yellow' } as const

/** Shows a check to a person: the verdict, the findings with their places, the receipt. */
export function showCheck(report: CheckReport, terminal: Pick<Terminal, 'print' | 'paint'>): void {
  const { change, base, result, findings, receipt } = report
  const [colour, verdict] = verdicts[result]
  const isPlain = result !== 'passed' || receipt?.evidence === undefined
  const shown = isPlain ? '' : `, ${receipt.evidence}`
  const what = `${nameOfChange(change)} on ${nameOfBase(base)}`
  terminal.print(`${terminal.paint(colour, verdict)}${shown}: ${what}${sizeOf(receipt)}`)
  for (const finding of findings) terminal.print(describeFinding(finding, terminal))
  if (receipt !== null) for (const line of linesOf(receipt, findings)) terminal.print(`  ${line}`)
}

function sizeOf(receipt: Receipt | null): string {
  // Of a binary file or a mode alone, no line counts.
  if (receipt?.changed === undefined || receipt.changed.files === 0) return ''
  const { files, added, removed } = receipt.changed
  return `, ${countOf(files, 'file')} (+${added} -${removed})`
}

/** `src/a.js:3:1 error syntax message` */
function describeFinding(
  { path, line, column, rule, severity, message }: CheckFinding,
  { paint }: Pick<Terminal, 'paint'>,
): string {
  const place = [path, line, column].filter((part) => part !== '' && part !== 0).join(':')
  const where = place === '' ? '' : `${place} `
  return `${where}${paint(colours[severity], severity)} ${rule} ${oneLine(message)}`
}

function linesOf(receipt: Receipt, findings: readonly CheckFinding[]): readonly string[] {
  const said = findings.map(({ message }) => message).join(' ')
  return [
    ...(receipt.commands.length === 0 ? [] : [describeReceipt(receipt)]),
    ...describeNewTests(receipt),
    ...(receipt.evidence === 'unharmed' ? [describeUnshown(receipt).trim()] : []),
    ...receipt.notes.filter((note) => !said.includes(note)),
  ].map(oneLine)
}
