import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { javascript, python, typescript } from './languages.ts'
import { edit } from './model.ts'
import { outcomes, play, type Scenario } from './scenario.ts'

const unknown = '{"reason": "unknown", "explanation": "The test wants what the task forbids."}'
const fahrenheit = (value: string): string => `export const toFahrenheit = (celsius) => ${value}`
const thick = (value: string): string => `export const thick = (book: Book): boolean => ${value}`
const total = (value: string): string => `def total(jars):\n    return ${value}`

/** An existing test forbids what the task asks for: three answers, none of which can be right. */
const contradictions: readonly (Scenario & { readonly it: string; readonly path: string })[] = [
  {
    it: 'JavaScript',
    path: 'src/units/convert.js',
    files: { ...javascript, 'ROADMAP.md': '- [ ] T-1: Water boils at 100 in Fahrenheit, too\n' },
    answers: {
      'draft T-1': [
        edit(
          'src/units/convert.js',
          fahrenheit('(celsius * 9) / 5 + 32'),
          fahrenheit('celsius + 0'),
        ),
      ],
      'repair_test T-1': [
        edit('src/units/convert.js', fahrenheit('celsius + 0'), fahrenheit('celsius + 1')),
        edit('src/units/convert.js', fahrenheit('celsius + 1'), fahrenheit('celsius + 2')),
      ],
      'classify T-1': [unknown],
    },
  },
  {
    it: 'TypeScript, with --approval-mode auto',
    path: 'src/model/book.ts',
    args: ['--approval-mode', 'auto'],
    files: { ...typescript, 'ROADMAP.md': '- [ ] T-1: No book is thick\n' },
    answers: {
      'draft T-1': [edit('src/model/book.ts', thick('book.pages > 500'), thick('false && !book'))],
      'repair_test T-1': [
        edit('src/model/book.ts', thick('false && !book'), thick('book.pages < 0')),
        edit('src/model/book.ts', thick('book.pages < 0'), thick('book.pages > 9999')),
      ],
      'classify T-1': [unknown],
    },
  },
  {
    it: 'Python, with a model that cannot say why',
    path: 'pantry/stock/count.py',
    files: { ...python, 'ROADMAP.md': '- [ ] T-1: Every pantry is empty\n' },
    answers: {
      'draft T-1': [edit('pantry/stock/count.py', total('sum(jars.values())'), total('0'))],
      'repair_test T-1': [
        edit('pantry/stock/count.py', total('0'), total('1')),
        edit('pantry/stock/count.py', total('1'), total('2')),
      ],
      'classify T-1': ['I am sorry, I do not know.', 'Nor do I now.'],
    },
  },
]

describe.concurrent('a task that an existing test contradicts', () => {
  it.each(contradictions)('fails after two repairs, and is classified: $it', async (scenario) => {
    await using played = await play(scenario)
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(1)
    // An answer that is no JSON is asked for once more.
    expect(model.asked()).toEqual([
      ...['draft T-1', 'repair_test T-1', 'repair_test T-1'],
      ...(scenario.answers['classify T-1'] ?? []).map(() => 'classify T-1'),
    ])
    expect(outcomes(project)).toEqual({ 'T-1': 'failed' })
    expect(project.branches()).toEqual([])
    const [task] = project.report().tasks
    expect(task).toMatchObject({ attempts: 1, repairs: 2, receipt: { result: 'failed' } })
    expect(project.report().recoveries).toMatchObject([
      { proposal: { strategy: 'ESCALATE', reason: 'unknown' } },
    ])
    expect(project.report().successRate).toBe(0)
    const kept = readFileSync(join(project.path, '.executor/attempts/T-1.md'), 'utf8')
    expect(kept).toContain(`## modify ${scenario.path}`)
    // Of answers that pass equally many tests, the first.
    expect(kept).toMatch(/celsius \+ 0|false && !book|return 0/)
  })

  it('and whose answers do not parse either: two repairs before, two after', async () => {
    const rough = fahrenheit('(celsius + (0')
    const rougher = fahrenheit('(celsius + 0')
    const [first, second, third] = ['celsius + 0', 'celsius + 1', 'celsius + 2'].map(fahrenheit)
    const path = 'src/units/convert.js'
    await using played = await play({
      files: { ...javascript, 'ROADMAP.md': '- [ ] T-1: Water boils at 100 everywhere\n' },
      answers: {
        'draft T-1': [edit(path, fahrenheit('(celsius * 9) / 5 + 32'), rough)],
        'repair_code T-1': [edit(path, rough, rougher), edit(path, rougher, first ?? '')],
        'repair_test T-1': [
          edit(path, first ?? '', second ?? ''),
          edit(path, second ?? '', third ?? ''),
        ],
        'classify T-1': [unknown],
      },
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(1)
    expect(model.asked()).toEqual([
      ...['draft T-1', 'repair_code T-1', 'repair_code T-1'],
      ...['repair_test T-1', 'repair_test T-1', 'classify T-1'],
    ])
    expect(project.report().tasks).toMatchObject([{ outcome: 'failed', repairs: 4 }])
  })

  it('does not keep the next one from its turn', async () => {
    const [scenario] = contradictions
    if (scenario === undefined) throw new Error('There is no case.')
    await using played = await play({
      ...scenario,
      files: {
        ...scenario.files,
        'ROADMAP.md': `${scenario.files['ROADMAP.md']}- [ ] T-2: Round to whole degrees\n`,
      },
      answers: {
        ...scenario.answers,
        'draft T-2': [
          edit(
            'src/units/convert.js',
            fahrenheit('(celsius * 9) / 5 + 32'),
            fahrenheit('Math.round((celsius * 9) / 5 + 32)'),
          ),
        ],
      },
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(1)
    expect(model.asked().at(-1)).toBe('draft T-2')
    expect(outcomes(project)).toEqual({ 'T-1': 'failed', 'T-2': 'done' })
    expect(project.git('rev-parse', 'agent/T-2~1')).toBe(project.git('rev-parse', 'main'))
    expect(project.show('agent/T-2', 'ROADMAP.md')).toMatch(/\[ \] T-1.*\n- \[x\] T-2/)
  })
})
