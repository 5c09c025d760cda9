import { readToolCalls } from '../../../../packages/judge/judge.ts'
import { countOf } from '../../../../packages/text/text.ts'
import {
  attemptOf,
  changeState,
  joinPatches,
  patchAttempt,
  startOf,
} from '../../../core/domain/change-state.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import { toolNames } from '../../../core/domain/tool-call.ts'
import { newLoop, type ToolLoop } from '../../../core/domain/tool-loop.ts'
import { withoutAnswer, withoutRoom } from '../../../core/domain/unanswered.ts'
import type { Ports } from '../../../core/ports.ts'
import { askModel, firstOf, type ModelPorts } from '../../../model/ask/ask-model.ts'
import { thinkPrompt } from '../../../model/prompts/think.ts'
import { defineTools } from '../../../model/prompts/tools.ts'
import { awaitSetUp } from '../../../recovery/step/await-set-up.ts'
import type { StepOf } from '../../step.ts'

/**
 * Asks the model for its next step in the loop of tools: calls to run, or a change. An answer with several calls is
 * worked through before the model is asked again.
 */
export async function think(
  state: RunState,
  ports: ModelPorts & Pick<Ports, 'workspace' | 'sandbox'>,
): Promise<StepOf<'think'>> {
  const attempt = attemptOf(state)
  const loop = attempt.loop ?? newLoop
  if (loop.pending.length > 0) return { outcome: 'called' }
  const unprepared = await awaitSetUp(state, startOf(state), ports, ports.model.tryKey)
  if (unprepared !== null) return unprepared
  const { task, plan, map, context, targets } = attempt
  const { recalled, feedback, earlier = null, reflections } = attempt
  const { allowed, native, summariseOver } = ports.settings.tools
  const asked = await askModel(state, ports, {
    purpose: 'think',
    messages: (share) =>
      thinkPrompt({
        ...{ task, plan, map, targets, files: firstOf(context, share), recalled },
        history: earlier,
        feedback,
        allowed,
        turns: loop.turns,
        reflections,
        summariseOver: summariseOver * share,
        left: sayLeft(loop, ports.settings),
      }),
    ...(native ? { tools: defineTools(allowed) } : {}),
  })
  if (asked.status === 'too_large') return { ...withoutRoom(state, asked), outcome: 'failed' }
  if (asked.status !== 'answered') return withoutAnswer(state, asked)
  const calls = await readToolCalls(asked.text, toolNames)
  const isCut = asked.finish === 'length'
  const pending = calls.map((call) => (isCut && call.tool === '' ? { ...call, isCut } : call))
  const after = changeState(state, asked.patch)
  const patch = patchAttempt(after, { loop: { ...loop, pending } })
  return { outcome: 'called', patch: joinPatches(asked.patch, patch) }
}

/** `Left: 29 tool calls, 5 test runs.` */
function sayLeft({ turns, testRuns }: ToolLoop, { limits }: Pick<Settings, 'limits'>): string {
  const calls = countOf(Math.max(0, limits.toolCalls - turns.length), 'tool call')
  const runs = countOf(Math.max(0, limits.toolTestRuns - testRuns), 'test run')
  return `Left: ${calls}, ${runs}.`
}
