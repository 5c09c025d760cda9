import { describe, expect, it } from 'vitest'
import { createProject } from './bench.ts'
import { file, startModel } from './model.ts'
import { ownTree } from './scenario.ts'

const manifest = '{ "type": "module", "scripts": { "test": "node --test" } }\n'
const module = (name: string) => file(`src/${name}.js`, `export const ${name} = '${name}'\n`)
const test = (name: string) =>
  file(
    `test/${name}.test.js`,
    `import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { ${name} } from '../src/${name}.js'\n\ntest('${name}', () => assert.equal(${name}, '${name}'))\n`,
  )

const emoji = `# 🗺 Roadmap

## Phase 1

- ✅ Set up
- ⏳ T-1: Add \`src/north.js\`

| Feature | Status |
|---|---|
| T-2 Add \`src/south.js\` | ⏳ pending |
| T-3 Add \`src/west.js\` | ✅ done |

### ⏭ 2.1 Add a compass

Not now.
`

describe.concurrent('a roadmap without check boxes', () => {
  it('of emoji is worked through, and its signs become ticks', async () => {
    using project = createProject({ 'ROADMAP.md': emoji, 'package.json': manifest })
    const own = ownTree(project)
    await using model = await startModel({
      'draft T-1': [module('north') + test('north')],
      'draft T-2': [module('south') + test('south')],
    })
    const { code, stderr } = await project.run(['run'], model.variables)
    expect(code, stderr).toBe(0)
    expect(ownTree(project)).toEqual(own)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2'])
    expect(project.show('agent/T-2', 'ROADMAP.md')).toBe(
      emoji
        .replace('⏳ T-1', '✅ T-1')
        .replace('`src/south.js` | ⏳ pending', '`src/south.js` | ✅ done'),
    )
    project.git('merge', '--quiet', '--ff-only', 'agent/T-2')
    project.git('branch', '--delete', '--force', 'agent/T-1', 'agent/T-2')
    const again = await project.run(['run'], model.variables)
    expect(again.code, again.stderr).toBe(0)
    expect(model.asked()).toHaveLength(2)
    expect(project.branches()).toEqual([])
  })

  it('of boxes, signs and a table is one list', async () => {
    const mixed = `# Roadmap\n\n- [x] Set up\n* [ ] T-1: Add \`src/north.js\`\n- 🚧 T-2: Add \`src/south.js\`\n1. [ ] **T-3**: Add \`src/west.js\`\n`
    using project = createProject({ 'ROADMAP.md': mixed, 'package.json': manifest })
    await using model = await startModel({
      'draft T-1': [module('north')],
      'draft T-2': [module('south')],
      'draft T-3': [module('west') + test('west')],
    })
    const { code, stderr } = await project.run(['run'], model.variables)
    expect(code, stderr).toBe(0)
    expect(project.show('agent/T-3', 'ROADMAP.md')).toBe(
      mixed.replaceAll('[ ]', '[x]').replace('🚧', '✅'),
    )
  })

  it('in prose is read by the model once, in the words of the document', async () => {
    const prose = `# Plan

We want a compass. First, add \`src/north.js\` with the word north.
After that, add \`src/south.js\` with the word south.
`
    using project = createProject({ 'ROADMAP.md': prose, 'package.json': manifest })
    const list = ['add `src/north.js` with the word north', 'add a rocket', 'add `src/south.js`']
    await using asked = await startModel({ 'normalize undefined': [JSON.stringify(list)] })
    const plan = await project.run(['normalize', '--json'], asked.variables)
    expect(plan.code, plan.stderr).toBe(0)
    const ids = JSON.parse(plan.stdout).tasks.map(({ id }: { id: string }) => id)
    expect(ids).toHaveLength(2)
    await using model = await startModel({
      'normalize undefined': [JSON.stringify(list)],
      [`draft ${ids[0]}`]: [module('north') + test('north')],
      [`draft ${ids[1]}`]: [module('south')],
    })
    const run = await project.run(['run', '--max-tasks', '1'], model.variables)
    expect(run.code, run.stderr).toBe(0)
    const next = await project.run(['run'], model.variables)
    expect(next.code, next.stderr).toBe(0)
    expect(model.asked()).toEqual(['normalize undefined', `draft ${ids[0]}`, `draft ${ids[1]}`])
    expect(project.show(`agent/${ids[1]}`, 'ROADMAP.md')).toBe(prose)
    expect(project.show(`agent/${ids[1]}`, 'src/north.js')).toContain('north')
  })

  it('gets boxes when a person asks for them', async () => {
    using project = createProject({ 'ROADMAP.md': emoji })
    const shown = await project.run(['normalize'])
    expect(shown.code, shown.stderr).toBe(0)
    expect(shown.stdout).toContain('- [ ] T-1: Add `src/north.js`')
    expect(project.git('status', '--porcelain')).toBe('')
    const written = await project.run(['normalize', '--write'])
    expect(written.code, written.stderr).toBe(0)
    expect(project.git('status', '--porcelain')).toBe(' M ROADMAP.md')
    const parsed = await project.run(['parse', '--json'])
    expect(JSON.parse(parsed.stdout).tasks).toHaveLength(5)
  })

  it('and without words has nothing to ask about', async () => {
    using project = createProject({ 'ROADMAP.md': '# Roadmap\n' })
    await using model = await startModel({})
    const { code, stderr } = await project.run(['run'], model.variables)
    expect([code, model.asked()], stderr).toEqual([0, []])
  })
})
