import type { Attempt } from '../../../src/core/domain/attempt.ts'
import { attemptOf, changeState } from '../../../src/core/domain/change-state.ts'
import type { RunState } from '../../../src/core/domain/run-state.ts'
import type { Settings } from '../../../src/core/domain/settings.ts'
import type { Ports } from '../../../src/core/ports.ts'
import { edges } from '../../../src/graph/edges.ts'
import { reflect } from '../../../src/graph/nodes/attempt/reflect.ts'
import { think } from '../../../src/graph/nodes/attempt/think.ts'
import { useTool } from '../../../src/graph/nodes/attempt/use-tool.ts'
import { validateCode } from '../../../src/graph/nodes/attempt/validate-code.ts'
import { verifyTask } from '../../../src/graph/nodes/attempt/verify-task.ts'
import { writeFiles } from '../../../src/graph/nodes/attempt/write-files.ts'
import type { DraftChecks } from '../../../src/graph/tools/tool-result.ts'
import { emptyStore, fakePorts, someSettings } from '../../fakes/facts.ts'
import type { Files } from '../../fakes/memory-workspace.ts'
import { createScriptedModel, type ScriptedReply } from '../../fakes/scripted-model.ts'
import { createScriptedSandbox, tapReport } from '../../fakes/scripted-sandbox.ts'
import { taskUnderWay } from '../nodes/bench.ts'

const tested: Files = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'test/a.test.js': "import test from 'node:test'\n",
  'src/cart.js': 'export function total(items) {\n  return items.length\n}\n',
}
const failure = { name: 'greets', file: 'test/a.test.js', line: 3, error: "expected 'hello'" }

export const call = (tool: string, given: object = {}): string =>
  `I look.\n\`\`\`json\n${JSON.stringify({ tool, arguments: given })}\n\`\`\`\n`
export const write = (text: string, path = 'src/greet.js'): string =>
  `${path}\n\`\`\`js\n${text}\n\`\`\`\n`
export const right = write("export const greet = () => 'hello'")
export const wrong = write("export const greet = () => 'bye'")
export const broken = write('export const greet = (')

export interface Case {
  readonly files?: Files
  readonly limits?: Partial<Settings['limits']>
  readonly settings?: Partial<Settings>
  readonly attempt?: Partial<Attempt>
  /** The tests fail while the draft contains this. */
  readonly red?: string
  /** The only test that fails then. */
  readonly failing?: typeof failure
  /** The first test run of a draft fails whatever it contains. */
  readonly failsOnce?: boolean
  readonly checks?: Partial<DraftChecks>
  readonly store?: Ports['store']
  /** Ends the walk after this many steps. */
  readonly stopAfter?: number
  /** A state that an earlier walk left. */
  readonly from?: RunState
}

type NextNode = RunState['progress']['next']

/** Walks the loop over the table until it leaves it. */
export async function play(replies: readonly ScriptedReply[], given: Case = {}) {
  const { workspace, state } = await taskUnderWay({
    files: { ...tested, ...given.files },
    attempt: { ...given.attempt },
    state: { progress: { next: 'think' } },
  })
  const model = createScriptedModel(replies)
  let runs = 0
  const sandbox = createScriptedSandbox((command, { folder }) => {
    const isStart = folder.includes('baseline')
    if (command.includes('-before'))
      return { exitCode: isStart && command.startsWith('fails') ? 1 : 0 }
    if (!isStart) runs += 1
    const text = JSON.stringify(isStart ? {} : workspace.filesIn('T-1'))
    const isChance = given.failsOnce === true && !isStart && runs === 1
    const isRed = isChance || (given.red !== undefined && text.includes(given.red))
    const report = tapReport(
      given.failsOnce && !isRed ? 2 : 1,
      isRed ? [given.failing ?? failure] : [],
    )
    return {
      exitCode: isRed ? 1 : 0,
      collected: new Map([['.executor-results-1.report', report]]),
    }
  })
  const settings = { ...someSettings(given.limits), strategy: 'tools' as const, ...given.settings }
  const syntax = { check: async () => ({ status: 'unavailable', reason: 'none' }) as const }
  const ports = {
    ...fakePorts({ workspace, model, sandbox, settings, syntax, store: given.store ?? emptyStore }),
    checks: {
      ...{ validate_code: validateCode, write_files: writeFiles, verify_task: verifyTask },
      ...given.checks,
    },
  }
  const nodes = { think, use_tool: useTool, reflect } as const
  let now = given.from ?? state
  let before = now
  const steps: string[] = []
  for (let next = now.progress.next; isOfLoop(next) && steps.length < (given.stopAfter ?? 200); ) {
    before = now
    const { outcome, patch } = await nodes[next](now, ports)
    steps.push(`${next} ${outcome}`)
    const row: Readonly<Record<string, NextNode>> = edges[next]
    next = row[outcome] ?? 'END'
    now = changeState(now, patch, { progress: { next } })
  }
  const attempt = attemptOf(now)
  const turns = attempt.loop?.turns ?? []
  return { steps, attempt, turns, model, runs, state: now, before, last: steps.at(-1), workspace }
}

const isOfLoop = (next: NextNode): next is 'think' | 'use_tool' | 'reflect' =>
  next === 'think' || next === 'use_tool' || next === 'reflect'

export const observed = async (
  replies: readonly ScriptedReply[],
  given?: Case,
): Promise<readonly string[]> =>
  (await play([...replies, 'NOTHING_TO_DO'], given)).turns.map(({ observation }) => observation)

export function edit(search: string, replace: string, path = 'src/greet.js'): string {
  const line = (text: string) =>
    `export const greet = ${text.startsWith('(') ? '' : '() => '}${text}`
  return `${path}\n\`\`\`\n<<<<<<< SEARCH\n${line(search)}\n=======\n${line(replace)}\n>>>>>>> REPLACE\n\`\`\`\n`
}
