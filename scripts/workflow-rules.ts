import { isMap, isNode, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { foreignCodeIn, mayWrite } from './write-jobs.ts'

/** A problem in a workflow. Lines and columns are 1-based. */
export interface Finding {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly message: string
}

const step = z.looseObject({ uses: z.string().optional(), run: z.string().optional() })
const job = z.looseObject({
  'timeout-minutes': z.unknown().optional(),
  concurrency: z.unknown().optional(),
  permissions: z.unknown().optional(),
  uses: z.string().optional(),
  steps: z.array(step).default([]),
})
const workflow = z.looseObject({
  on: z.unknown().optional(),
  concurrency: z.unknown().optional(),
  jobs: z.record(z.string(), job),
})

type Keys = readonly (string | number)[]

/** Checks our own rules: least permissions, no injection, pinned versions, a time limit. */
export function checkWorkflow(path: string, text: string): readonly Finding[] {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter })
  const findings: Finding[] = []
  const report = (keys: Keys, message: string) => {
    const node = document.getIn(keys, true)
    const { line, col } = counter.linePos(isNode(node) ? (node.range?.[0] ?? 0) : 0)
    findings.push({ path, line, column: col, message })
  }
  const parsed = workflow.safeParse(document.toJS())
  if (!parsed.success) {
    report([], 'is not a workflow')
    return findings
  }
  const { on, concurrency, jobs } = parsed.data
  if (/\bpull_request_target\b/.test(JSON.stringify(on ?? null)))
    report(['on'], "pull_request_target gives a stranger's code our rights")
  if ([concurrency, ...Object.values(jobs).map((each) => each.concurrency)].every(isMissing))
    report([], 'has no concurrency group')
  for (const [name, { steps, ...rest }] of Object.entries(jobs)) {
    const here = ['jobs', name]
    if (!isMap(document.getIn([...here, 'permissions']))) report(here, 'has no list of permissions')
    if (rest['timeout-minutes'] === undefined) report(here, 'has no timeout-minutes')
    checkVersion(rest.uses, [...here, 'uses'], report)
    if (mayWrite(rest.permissions))
      for (const keys of foreignCodeIn({ ...rest, steps }))
        report([...here, ...keys], 'other code may run where the token can write')
    for (const [index, { uses, run }] of steps.entries()) {
      checkVersion(uses, [...here, 'steps', index, 'uses'], report)
      if (run?.includes('${{') === true)
        report([...here, 'steps', index, 'run'], 'expressions in a script go through env')
    }
  }
  return findings
}

const isMissing = (value: unknown): boolean => value === undefined

/** Our releases move the tag of a major version. */
const ownAction = /^roadmap-executor\/roadmap-executor@v\d+$/

function checkVersion(
  uses: string | undefined,
  keys: Keys,
  report: (keys: Keys, message: string) => void,
): void {
  if (uses === undefined || uses.startsWith('./') || ownAction.test(uses)) return
  if (!/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/.test(uses))
    report(keys, `${uses} is not pinned to a commit`)
}
