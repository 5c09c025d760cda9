import { describe, expect, it } from 'vitest'
import { changeState } from '../../../../src/core/domain/change-state.ts'
import { normalizeRoadmap } from '../../../../src/graph/nodes/choose/normalize-roadmap.ts'
import { parseRoadmap } from '../../../../src/graph/nodes/choose/parse-roadmap.ts'
import { aState, fakePorts } from '../../../fakes/facts.ts'
import { createMemoryForge } from '../../../fakes/memory-forge.ts'
import { createMemoryWorkspace } from '../../../fakes/memory-workspace.ts'
import { createScriptedModel, type ScriptedReply } from '../../../fakes/scripted-model.ts'

const prose = '# Plan\n\nFirst, add a greeting in `src/greet.js`. Later we may say it twice.\n'

const ask = (...answers: readonly ScriptedReply[]) => askOf(prose, answers)

async function askOf(roadmap: string, answers: readonly ScriptedReply[]) {
  const workspace = createMemoryWorkspace({ files: { 'ROADMAP.md': roadmap } })
  const { base } = await workspace.refresh()
  const model = createScriptedModel(answers)
  const ports = fakePorts({ workspace, model, forge: createMemoryForge() })
  const state = aState({ roadmap: { base } })
  return { step: await normalizeRoadmap(state, ports), state, ports, model }
}

describe('normalize_roadmap', () => {
  it('keeps what the model marked, and parse_roadmap goes by it', async () => {
    const answer = '[{"title": "add a greeting in `src/greet.js`", "status": "pending"}]'
    const { step, state, ports, model } = await ask(`Here you are:\n\`\`\`json\n${answer}\n\`\`\``)
    expect(step.outcome).toBe('normalized')
    expect(model.requests[0]?.purpose).toBe('normalize')
    expect(model.requests[0]?.messages.at(-1)?.content).toBe(prose)
    expect(step.patch?.spent?.usage).not.toEqual(state.spent.usage)
    expect((await parseRoadmap(changeState(state, step.patch), ports)).outcome).toBe('parsed')
    expect((await parseRoadmap(state, ports)).outcome).toBe('no_boxes')
  })

  it.each([
    ['bullets instead of JSON', '- add a greeting in `src/greet.js`\n- say it twice', 2],
    ['names for titles', '{"tasks": [{"name": "say it twice"}]}', 1],
    ['bare strings', '["say it twice", 7, null]', 1],
    ['some of them invented', '["say it twice", "delete the server"]', 1],
  ])('reads %s', async (_, answer, count) => {
    const { step } = await ask(answer)
    expect(step.outcome).toBe('normalized')
    expect(step.patch?.roadmap?.normalized?.marks).toHaveLength(count)
  })

  it.each([
    ['prose', 'I think you should rest.', 'it is no JSON array'],
    ['broken', '["say it twice",', 'its JSON array has no end'],
    [
      'nothing of the document',
      '["delete the server now"]',
      'not in the document: delete the server now',
    ],
  ])('asks once more when the answer is %s, and then says so', async (_, answer, why) => {
    const mended = await ask(answer, '["say it twice"]')
    expect(mended.step.outcome).toBe('normalized')
    expect(mended.model.requests[1]?.messages.at(-1)?.content).toContain(why)
    const { step, state, ports } = await ask(answer, answer)
    expect(step.outcome).toBe('no_tasks')
    expect(step.patch?.record?.errors).toMatchObject([
      { code: 'no_tasks_found', message: expect.stringContaining(why) },
    ])
    expect((await parseRoadmap(changeState(state, step.patch), ports)).outcome).toBe('no_tasks')
  })

  it('has nothing to do where the model finds no task, and does not ask again', async () => {
    const { step, state, ports } = await ask('[]')
    expect(step).toMatchObject({
      outcome: 'no_tasks',
      patch: { roadmap: { normalized: { marks: [] } } },
    })
    expect(step.patch?.record?.errors).toBeUndefined()
    expect((await parseRoadmap(changeState(state, step.patch), ports)).outcome).toBe('no_tasks')
  })

  it('asks with less of a long document, three times', async () => {
    const tooLarge = { tooLarge: 'no room' }
    const long = prose + 'It is good to rest.\n'.repeat(300)
    const { step, model } = await askOf(long, [
      ...[tooLarge, tooLarge],
      '["add a greeting in `src/greet.js`"]',
    ])
    expect(step.outcome).toBe('normalized')
    expect(model.requests).toHaveLength(3)
    const none = await askOf(long, [tooLarge, tooLarge, tooLarge, tooLarge])
    expect(none.step).toMatchObject({ outcome: 'no_tasks', patch: { record: { errors: [{}] } } })
  })

  it('goes on here when the model is away', async () => {
    const { step } = await ask({ unavailable: 'full' })
    expect(step).toMatchObject({
      outcome: 'unavailable',
      patch: { progress: { stopped: 'unavailable' } },
    })
  })
})
