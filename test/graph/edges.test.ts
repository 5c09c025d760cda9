import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { drawMermaid } from '../../src/graph/draw-mermaid.ts'
import { edges } from '../../src/graph/edges.ts'
import { nodes } from '../../src/graph/nodes.ts'

const table: Readonly<Record<string, Readonly<Record<string, string>>>> = edges

function reachableFrom(start: string): ReadonlySet<string> {
  const seen = new Set<string>()
  const queue = [start]
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    queue.push(...Object.values(table[name] ?? {}))
  }
  return seen
}

describe('the edge table', () => {
  it('has a row for every node and no other', () => {
    expect(Object.keys(edges)).toEqual(Object.keys(nodes))
    expect(Object.keys(nodes)).toHaveLength(23)
  })

  it('reaches every node from the first, and END from every node', () => {
    expect([...reachableFrom('parse_roadmap')].sort()).toEqual(
      [...Object.keys(nodes), 'END'].sort(),
    )
    for (const name of Object.keys(nodes)) expect(reachableFrom(name)).toContain('END')
  })

  it('is what the drawing shows, edge for edge', () => {
    const drawn = [...drawMermaid().matchAll(/^ {2}(\w+) -->\|(.+)\| (\w+)$/gm)].flatMap(
      ([, from, outcomes, to]) => (outcomes ?? '').split(', ').map((o) => `${from} ${o} ${to}`),
    )
    const written = Object.entries(table).flatMap(([from, row]) =>
      Object.entries(row).map(([outcome, to]) => `${from} ${outcome} ${to}`),
    )
    expect(drawn.sort()).toEqual(written.sort())
  })
})

describe('a node called validate_code', () => {
  const folder = join(import.meta.dirname, '../../src/graph')
  const root = join(folder, 'nodes')
  const files = readdirSync(root).flatMap((each) => readdirSync(join(root, each)))
  const table = readFileSync(join(folder, 'nodes.ts'), 'utf8')

  it.each(Object.entries(nodes))(
    '%s is the function and the file of the same name',
    (name, node) => {
      const file = `${name.replaceAll('_', '-')}.ts`
      const camel = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      expect(files).toContain(file)
      // One that is loaded later is a function around that one.
      if (node.name !== camel) {
        expect(table.replaceAll(/\s+/g, ' ')).toMatch(
          new RegExp(`\\b${name}: (?:\\w+\\( ?)?later\\([^,]*/${file}'\\)\\)\\.${camel}[,)]`),
        )
      }
    },
  )

  it('has a folder without strays', () => {
    const expected = Object.keys(nodes).map((name) => `${name.replaceAll('_', '-')}.ts`)
    expect([...files].sort()).toEqual(expected.sort())
    expect(existsSync(root)).toBe(true)
  })
})
