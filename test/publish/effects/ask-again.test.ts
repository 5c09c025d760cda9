import { expect, it } from 'vitest'
import type { ForgeResult } from '../../../src/core/ports/forge.ts'
import { reportMarker } from '../../../src/publish/effects/comment-report.ts'
import { run } from '../../faults/memory-cases.ts'
import { createMemoryWorld } from '../../faults/memory-world.ts'
import { hopeless, night } from '../../faults/scenarios.ts'

const refusedBy = (
  code: 'forge_denied' | 'forge_unreachable',
): Extract<ForgeResult<null>, { status: 'refused' }> => ({ status: 'refused', code, detail: 'no' })

it.each([
  ['on the line', null, ['review_comment']],
  ['below, where the line takes no comment', refusedBy('forge_denied'), ['comment']],
  ['nowhere for now, where GitHub is out of reach', refusedBy('forge_unreachable'), []],
] as const)('a question is asked %s, once', async (_, onLine, told) => {
  const world = createMemoryWorld({ roadmap: `# Plan\n\n${hopeless('T-1')}` })
  const { forge } = world
  if (onLine !== null) forge.upsertReviewComment = async () => onLine
  await run(world, night.happens(world))
  const { number } = world.pullOf('executor/recovery/T-1')
  const remarks = () =>
    world.repository.remarks.filter(
      ({ on, author, body }) => on === number && author.isBot && !body.startsWith(reportMarker),
    )
  expect(remarks().map(({ kind }) => kind)).toEqual(told)
  await run(world, { kind: 'run', only: ['T-1'] })
  expect(remarks().map(({ kind }) => kind)).toEqual(told)
  expect(remarks().every(({ body }) => body.includes('/approve'))).toBe(true)
})
