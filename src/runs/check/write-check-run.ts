/** A check as GitHub shows it: a check run with annotations, and the same text as a job's summary. */

import {
  countOf,
  inlineCode,
  neutraliseLine,
  paragraphs,
  tableCell,
  writeList,
  writeTable,
} from '../../../packages/text/text.ts'
import type { CheckAnnotation, CheckRunDraft } from '../../core/ports/check-runs.ts'
import {
  describeNewTests,
  describeVerdict,
  foldCommands,
} from '../../publish/report/describe-verification.ts'
import type { CheckReport } from './check-report.ts'
import type { CheckFinding } from './check-rules.ts'

/** The name that a branch protection asks for. */
const checkRunName = 'executor check'

const conclusions = { passed: 'success', failed: 'failure', unverified: 'neutral' } as const

const verdicts = { passed: 'Passed', failed: 'Not passed', unverified: 'Not verified' } as const

const mostRows = 100

/** Four requests; the summary counts all findings. */
const mostAnnotations = 200

/** The check run of a pull request's head. */
export function writeCheckRun(
  pullRequest: number,
  head: string,
  report: Omit<CheckReport, 'head'>,
): CheckRunDraft {
  const { result, findings } = report
  return {
    name: checkRunName,
    externalId: `pull-${pullRequest}`,
    sha: head,
    conclusion: conclusions[result],
    title: titleOf(report),
    summary: writeCheckSummary(report),
    annotations: findings.flatMap(annotationOf).slice(0, mostAnnotations),
  }
}

function titleOf({
  result,
  findings,
  receipt,
}: Pick<CheckReport, 'result' | 'findings' | 'receipt'>): string {
  const count = (severity: CheckFinding['severity']) =>
    findings.filter((finding) => finding.severity === severity).length
  const counts = [
    ...(count('error') > 0 ? [countOf(count('error'), 'error')] : []),
    ...(count('warning') > 0 ? [countOf(count('warning'), 'warning')] : []),
  ]
  const shown = result === 'passed' && receipt?.evidence ? `, ${receipt.evidence}` : ''
  return [`${verdicts[result]}${shown}`, ...(counts.length === 0 ? [] : [counts.join(', ')])].join(
    ': ',
  )
}

/** Findings without a file are in the summary alone. */
const annotationOf = ({ path, line, rule, severity, message }: CheckFinding): CheckAnnotation[] =>
  path === ''
    ? []
    : [
        {
          ...{ path, line: Math.max(1, line), title: rule, message },
          level: severity === 'error' ? 'failure' : 'warning',
        },
      ]

function writeCheckSummary(report: Omit<CheckReport, 'head'>): string {
  const { base, findings, receipt } = report
  const rows = findings
    .slice(0, mostRows)
    .map(({ path, line, severity, rule, message }) => [
      path === '' ? '' : inlineCode(line === 0 ? path : `${path}:${line}`),
      ...[severity, rule, tableCell(message)],
    ])
  const left = findings.length - mostRows
  const said = findings.map(({ message }) => message).join(' ')
  return paragraphs([
    `## ${titleOf(report)}`,
    `Compared with ${inlineCode(base.sha.slice(0, 10))} of ${inlineCode(base.name)}.`,
    receipt === null ? '' : describeVerdict(receipt),
    rows.length === 0 ? '' : writeTable(['where', 'severity', 'rule', 'finding'], rows),
    left > 0 ? `and ${left} more: \`executor check\` shows them.` : '',
    receipt === null ? '' : writeList(describeNewTests(receipt)),
    writeList((receipt?.notes ?? []).filter((note) => !said.includes(note)).map(neutraliseLine)),
    receipt === null ? '' : foldCommands(receipt),
  ])
}
