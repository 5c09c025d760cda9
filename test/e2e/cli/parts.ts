/** The files that plans are made of: path and text of each part. */
export const pathOf = (n: number): string => `src/part${n}.js`
export const textOf = (n: number): string => `export const part${n} = () => ${n}\n`
const test = (count: number): string =>
  `import assert from 'node:assert/strict'
import { test } from 'node:test'

test('parts', async () => {
  for (let n = 1; n <= ${count}; n += 1) {
    const found = await import(\`../src/part\${n}.js\`).catch(() => null)
    if (found) assert.equal(found[\`part\${n}\`](), n)
  }
})
`
const roadmap = `# Parts

- [ ] T-1: Write the parts, each in a file of its own
- [ ] T-2: Add \`src/more.js\`
`

/** A project whose first task is a file for each part, and whose second is one more. */
export const partsProject = (count: number) => ({
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'test/parts.test.js': test(count),
  'ROADMAP.md': roadmap,
})

/** A plan of a step for each path. Each step needs the one before it. */
export const planOf = (paths: readonly string[]): string =>
  JSON.stringify({
    files: paths,
    complexity: 'high',
    steps: paths.map((path, index) => ({
      ...{ id: index + 1, does: `write ${path}`, files: [path], needs: index > 0 ? [index] : [] },
    })),
  })
