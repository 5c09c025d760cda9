import { describe, expect, it } from 'vitest'
import { openActionBench } from './action-bench.ts'
import { edit, file, testOf, tool, withRoadmap } from './toolbox.ts'

const files = withRoadmap('T-1: Halve a number, in `src/halve.js`')

describe('an answer that is not right at once', () => {
  it.concurrent('is repaired in memory when it does not parse', async () => {
    await using bench = await openActionBench(files, [
      {
        when: { purpose: 'draft' },
        answers: [tool('halve', '(n) => {\n  return n / 2', 'assert.equal(halve(4), 2)')],
      },
      {
        when: { purpose: 'repair_code' },
        answers: [edit('src/halve.js', '  return n / 2', '  return n / 2\n}')],
      },
    ])
    const run = await bench.run()
    expect(run).toMatchObject({ exitCode: 0, outputs: { completed: '1', failed: '0' } })
    expect(bench.model.requests.map(({ purpose }) => purpose)).toEqual(['draft', 'repair_code'])
    expect(run.stdout).toContain('not written yet: src/halve.js:')
    expect(await bench.file('agent/T-1', 'src/halve.js')).toBe(
      'export const halve = (n) => {\n  return n / 2\n}',
    )
  })

  it.concurrent('gets a wrong import corrected from the structure of the project', async () => {
    await using bench = await openActionBench(
      withRoadmap('T-1: Add three numbers with `add`, in `src/sums/add-three.js`'),
      [
        {
          when: { purpose: 'draft' },
          answers: [
            file(
              'src/sums/add-three.js',
              "import { add } from './add.js'\n\nexport const addThree = (a, b, c) => add(add(a, b), c)\n",
            ) +
              file(
                'test/add-three.test.js',
                testOf('addThree', 'assert.equal(addThree(1, 2, 3), 6)', 'sums/add-three'),
              ),
          ],
        },
        {
          when: { purpose: 'repair_code', contains: '../add.js' },
          answers: [
            edit(
              'src/sums/add-three.js',
              "import { add } from './add.js'",
              "import { add } from '../add.js'",
            ),
          ],
        },
      ],
    )
    const run = await bench.run()
    expect(run).toMatchObject({ exitCode: 0, outputs: { completed: '1' } })
    expect(await bench.file('agent/T-1', 'src/sums/add-three.js')).toContain("from '../add.js'")
  })

  it.concurrent('is repaired from the failing test, which stays as it was', async () => {
    const test = testOf('halve', 'assert.equal(halve(4), 2)')
    await using bench = await openActionBench({ ...files, 'test/halve.test.js': test }, [
      {
        when: { purpose: 'draft' },
        answers: [file('src/halve.js', 'export const halve = (n) => n - 2 + 1\n')],
      },
      {
        when: { purpose: 'repair_test' },
        answers: [
          edit(
            'src/halve.js',
            'export const halve = (n) => n - 2 + 1',
            'export const halve = (n) => n / 2',
          ) + edit('test/halve.test.js', '  assert.equal(halve(4), 2)', '  assert.ok(true)'),
        ],
      },
    ])
    const run = await bench.run()
    expect(run).toMatchObject({ exitCode: 0, outputs: { completed: '1' } })
    expect(bench.model.requests.map(({ purpose }) => purpose)).toEqual(['draft', 'repair_test'])
    expect(await bench.file('agent/T-1', 'src/halve.js')).toBe('export const halve = (n) => n / 2')
    expect(await bench.file('agent/T-1', 'test/halve.test.js')).toBe(test.trimEnd())
    const [pull] = await bench.pulls()
    const [, notes = ''] =
      /<details><summary>How the change came about<\/summary>\n\n([^<]*)<\/details>/.exec(
        pull?.body ?? '',
      ) ?? []
    expect(notes).toMatch(
      /^- \*\*Problem\*\* in `verify_task`: .*\n- \*\*Repair\*\* after the tests\n- \*\*Tests\*\*: they pass\n\n$/,
    )
    expect(run.left['scratch/T-1.md']).toContain('**Verdict**: in review')
  })

  it.concurrent('brings a promised file and mends each file that it breaks', async () => {
    const base = withRoadmap('T-1: Add lists with `add`, in `src/add.js` and `src/sum.js`')
    const lineOf = (name: string, given: string) => `export const ${name} = (n) => add(${given})`
    const usesAdd = (name: string) => `import { add } from './add.js'\n\n${lineOf(name, 'n, n')}\n`
    const changed = 'export const add = (numbers) => numbers.reduce((a, b) => a + b, 0)'
    await using bench = await openActionBench(
      {
        ...base,
        'src/twice.js': usesAdd('twice'),
        'src/double.js': usesAdd('double'),
        'test/twice.test.js': testOf('twice', 'assert.equal(twice(2), 4)'),
        'test/double.test.js': testOf('double', 'assert.equal(double(3), 6)'),
        // Its pattern shows all tests, so another sample would come first.
        '.github/executor.yml': 'samples: 0\n',
        'ROADMAP.md':
          '- [ ] T-1: Let `add` take a list, and update its tests\n  - Files: `src/*.js`, `src/sum.js`, `test/add.test.js`\n',
      },
      [
        {
          when: { purpose: 'draft' },
          answers: [
            edit('src/add.js', 'export const add = (a, b) => a + b', changed) +
              edit(
                'test/add.test.js',
                '  assert.equal(add(2, 3), 5)',
                '  assert.equal(add([2, 3]), 5)',
              ),
          ],
        },
        {
          when: { purpose: 'repair_code', contains: 'src/sum.js' },
          answers: [file('src/sum.js', "export { add as sum } from './add.js'\n")],
        },
        {
          when: { purpose: 'repair_test', contains: 'double works' },
          answers: [
            edit('src/twice.js', lineOf('twice', 'n, n'), lineOf('twice', '[n, n]')) +
              edit('src/double.js', lineOf('double', 'n, n'), lineOf('double', '[n, n]')),
          ],
        },
      ],
    )
    const run = await bench.run()
    expect(bench.model.requests.map(({ purpose }) => purpose)).toEqual([
      'draft',
      'repair_code',
      'repair_test',
    ])
    expect(run).toMatchObject({ exitCode: 0, outputs: { completed: '1' } })
    expect(await bench.file('agent/T-1', 'src/sum.js')).toContain('add as sum')
    for (const name of ['twice', 'double']) {
      expect(await bench.file('agent/T-1', `src/${name}.js`)).toContain('add([n, n])')
    }
  })
})
