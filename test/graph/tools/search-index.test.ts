import { describe, expect, it } from 'vitest'
import type { CodeIndex } from '../../../src/core/ports/code-index.ts'
import { search } from '../../../src/graph/tools/search.ts'
import { fakePorts } from '../../fakes/facts.ts'
import { aDraft, taskUnderWay } from '../nodes/bench.ts'

const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`
/** So many files hold the word that a search by lines alone lists others first. */
const files = {
  ...Object.fromEntries(
    Array.from({ length: 70 }, (_, index) => [`a/noise-${index}.js`, '// an invoice\n'.repeat(9)]),
  ),
  'z/billing.js': `const TOKEN = '${key}'\n// an invoice\nexport function roundInvoice(cents) {\n}\n`,
  'docs/notes.md': 'How an invoice is rounded.\n',
}

const rankedFirst = (...paths: readonly string[]): CodeIndex => ({
  partsWith: (word) =>
    paths.map((path, index) => ({ path, first: 1, last: 9, score: word.length / (index + 1) })),
  importers: () => [],
  commits: [],
})

async function searchFor(words: string, index: CodeIndex | null, draft = aDraft({ changes: [] })) {
  const { workspace, state } = await taskUnderWay({ files, attempt: { draft } })
  const asked: string[] = []
  Object.assign(workspace, {
    lookUp: async (sha: string, _: readonly string[], ask: (index: CodeIndex) => unknown) => {
      asked.push(sha)
      return index && ask(index)
    },
  })
  const ports = fakePorts({ workspace })
  return { ...(await search(JSON.stringify({ words }), state, ports)), asked }
}

describe('search with an index', () => {
  it('shows the file that the index ranks first, its declarations before other lines', async () => {
    const { observation } = await searchFor('round invoice', rankedFirst('z/billing.js'))
    expect(observation).toMatch(
      /^z\/billing\.js\n {2}3: export function roundInvoice\(cents\) \{\n {2}2: \/\/ an invoice\n/,
    )
    expect(observation).toContain('a/noise-')
    expect(observation).not.toContain(key)
  })

  it('finds documents and files of the draft, which are not in the index', async () => {
    const changes = [
      { action: 'create', path: 'z/new.js', content: 'roundInvoice()\n' },
      { action: 'delete', path: 'z/billing.js', before: files['z/billing.js'] },
    ] as const
    const index = rankedFirst('z/billing.js')
    const { observation } = await searchFor('round invoice', index, aDraft({ changes }))
    expect(observation).toContain('z/new.js\n')
    expect(observation).toContain('docs/notes.md\n')
    expect(observation).not.toContain('z/billing.js')
  })

  it('shows no line of a ranked file for a part of its key', async () => {
    const { observation } = await searchFor('a1b2c3d4e5f6', rankedFirst('z/billing.js'))
    expect(observation).toBe('Nothing is found.')
  })

  it('searches lines alone where there is none', async () => {
    const { observation, asked } = await searchFor('invoice', null)
    expect(asked).toHaveLength(1)
    expect(observation).toContain('a/noise-0.js')
  })
})
