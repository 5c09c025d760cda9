import type { Attempt } from '../../../core/domain/attempt.ts'
import {
  attemptOf,
  changeState,
  joinPatches,
  patchAttempt,
} from '../../../core/domain/change-state.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import type { ToolCall, ToolName } from '../../../core/domain/tool-call.ts'
import { newLoop, type ToolLoop } from '../../../core/domain/tool-loop.ts'
import { forgetOld } from '../../../model/prompts/think.ts'
import type { StepOf } from '../../step.ts'
import { staticAnalyze, writeDiff } from '../../tools/change.ts'
import { conclude } from '../../tools/conclude.ts'
import { listTree, readFile } from '../../tools/look.ts'
import { recordTurn } from '../../tools/record-turn.ts'
import { grep, search } from '../../tools/search.ts'
import { showResult } from '../../tools/show-result.ts'
import { finishLoop, runTests } from '../../tools/test-change.ts'
import { type ToolPorts, type ToolResult, wrongCall } from '../../tools/tool-result.ts'

type Tool = (input: string, state: RunState, ports: ToolPorts) => Promise<ToolResult>

const tools: Readonly<Record<ToolName, Tool>> = {
  read_file: readFile,
  list_files: listTree,
  grep,
  search,
  write_diff: writeDiff,
  run_tests: (_, state, ports) => runTests(state, ports),
  static_analyze: (_, state, ports) => staticAnalyze(state, ports),
  done: finishLoop,
}

/** In characters. */
const longestArguments = 4_000

const cutOff =
  'Your reply was cut off because it was too long. Write one file at a time; of a file that exists only SEARCH/REPLACE blocks.'

/** Tools that show the same when they are called twice in a row. */
const looks: ReadonlySet<ToolName> = new Set(['read_file', 'list_files', 'grep', 'search'])

/**
 * Runs the next call of the model's last answer, and notes what it showed. Tools see the start commit with the draft
 * on top, nothing else, and write only to the draft in memory.
 */
export async function useTool(state: RunState, ports: ToolPorts): Promise<StepOf<'use_tool'>> {
  const attempt = attemptOf(state)
  const { pending } = attempt.loop ?? newLoop
  const [call] = pending
  if (call === undefined) return { outcome: 'observed' }
  const result = showResult(await run(call, state, ports))
  const after = changeState(state, result.patch)
  const counted = countTurn(attemptOf(after).loop ?? newLoop, call, result)
  const loop = { ...counted, turns: forgetOld(counted.turns, ports.settings.tools.summariseOver) }
  await recordTurn(call, { before: state, after, result }, ports)
  const next = testsNext(call, result, attemptOf(after), ports) ? [testCall] : []
  const whole = loop.pending.length > 0 ? loop : { ...loop, pending: next }
  const patch = joinPatches(result.patch, patchAttempt(after, { loop: whole }))
  const { outcome, patch: end = {} } = conclude(changeState(state, patch), result, ports)
  return { outcome, patch: joinPatches(patch, end) }
}

const testCall: ToolCall = { tool: 'run_tests', input: '{}', thought: '' }

/** Test runs in a row that may fail before the model has to ask for one. */
const mostUnasked = 2

/**
 * A change that passes its checks is tested at once, which saves the request that would ask for it. One test run is
 * kept for the end, and a change that is written file by file is not tested forever.
 */
function testsNext(
  { tool }: ToolCall,
  { fault }: ToolResult,
  { loop, destructive }: Attempt,
  { settings: { limits, tools, verify } }: Pick<ToolPorts, 'settings'>,
): boolean {
  const { testRuns, failedRuns } = loop ?? newLoop
  const isLeft = testRuns < limits.toolTestRuns - 1 && failedRuns < mostUnasked
  const mayTest = verify.mode !== 'skip' && tools.allowed.includes('run_tests')
  const isSound = tool === 'write_diff' && fault === undefined && destructive.length === 0
  return isSound && mayTest && isLeft
}

async function run(call: ToolCall, state: RunState, ports: ToolPorts): Promise<ToolResult> {
  const { allowed } = ports.settings.tools
  const name = allowed.find((each) => each === call.tool)
  if (call.isCut) return wrongCall(cutOff)
  if (name === undefined) {
    const words =
      call.tool === '' ? 'Your reply had no tool call.' : `There is no tool ${call.tool}.`
    return wrongCall(`${words} Write one of: ${allowed.join(', ')}; or a change.`)
  }
  if (name !== 'write_diff' && call.input.length > longestArguments) {
    return wrongCall('These arguments are too long. Give a few words.')
  }
  const { turns } = attemptOf(state).loop ?? newLoop
  const last = turns.at(-1)
  if (looks.has(name) && last?.tool === name && last.input === shorten(call)) {
    return wrongCall('You just did exactly this; the result is above. Do something else.')
  }
  return tools[name](call.input, state, ports)
}

function countTurn(loop: ToolLoop, call: ToolCall, result: ToolResult): ToolLoop {
  const { observation, summary, fault } = result
  const isChange = call.tool === 'write_diff'
  const isFailure = fault === 'change' || fault === 'tests'
  return {
    ...loop,
    turns: [
      ...loop.turns,
      { ...call, input: shorten(call), observation, summary, isOk: fault === undefined },
    ],
    // What the model planned behind a failure was planned without knowing it.
    pending: isFailure ? [] : loop.pending.slice(1),
    failingChanges:
      fault === 'change' ? loop.failingChanges + 1 : isChange ? 0 : loop.failingChanges,
    failedRuns: fault === 'tests' ? loop.failedRuns + 1 : loop.hasPassed ? 0 : loop.failedRuns,
    failures: loop.failures + (isFailure ? 1 : 0),
    hasPassed: isChange ? false : loop.hasPassed,
    isOpen: result.ends === undefined,
  }
}

/** In characters: the conversation shows what was written, and the draft has it whole. */
const longestChange = 12_000
/** Of other arguments. */
const longestInput = 1_000

function shorten({ tool, input }: ToolCall): string {
  const most = tool === 'write_diff' ? longestChange : longestInput
  if (input.length <= most) return input
  const left = `${input.length - most} more characters${tool === 'write_diff' ? ', read in full' : ''}`
  return `${input.slice(0, most).toWellFormed()}\n(${left})`
}
