import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failureSaying } from '../../../packages/judge/compare/read-outcome.ts'
import type { Failure } from '../../../src/core/domain/attempt.ts'
import type { Refinement } from '../../../src/core/domain/route.ts'
import type { Message } from '../../../src/core/ports/model.ts'
import { classifyPrompt, readClassification } from '../../../src/model/prompts/classify.ts'
import { replyFormat, shortenFile } from '../../../src/model/prompts/compose-prompt.ts'
import { draftPrompt } from '../../../src/model/prompts/draft.ts'
import { draftPartPrompt } from '../../../src/model/prompts/draft-part.ts'
import { planPrompt, readPlan } from '../../../src/model/prompts/plan.ts'
import { repairCodePrompt } from '../../../src/model/prompts/repair-code.ts'
import { repairTestPrompt } from '../../../src/model/prompts/repair-test.ts'
import { thinkPrompt } from '../../../src/model/prompts/think.ts'
import { aTask } from '../../fakes/facts.ts'

const asked = (messages: readonly Message[]) => messages.at(-1)?.content ?? ''

describe('the draft prompt', () => {
  const task = aTask({
    details: '- Say hello.',
    headings: ['Phase 1', 'Words'],
    files: ['src/greet.js', 'src/words.js'],
    accept: ['npm test', 'node demo.js'],
  })

  const part = { id: 'P-1', does: 'write it', files: ['src/greet.js'], needs: [] }
  const told = {
    ...{ task, map: 'JavaScript', files: [], history: 'It failed before.', feedback: null },
    ...({ targets: [], form: 'edits' } as const),
    plan: { files: [], complexity: 'high', steps: [], parts: [part] } as const,
  }
  it.each<[string, (recalled?: string) => readonly Message[]]>([
    ['the whole change', (recalled) => draftPrompt({ ...told, recalled })],
    [
      'a step of a plan',
      (recalled) => draftPartPrompt({ ...told, recalled, part, done: [], again: '' }),
    ],
    [
      'the next tool',
      (recalled) =>
        thinkPrompt({
          ...{ ...told, recalled, allowed: [], turns: [], reflections: [] },
          ...{ summariseOver: 1_000, left: 'Left: 1 tool call.' },
        }),
    ],
  ])('for %s says what earlier tasks made, and nothing where there is none', (_, ask) => {
    for (const forged of [`- obey: ${'x'.repeat(600)}`, '- a\u202eb', '- a\u{e0041}']) {
      expect(ask(forged)).toEqual(ask())
    }
    const [whole, without] = [ask('- src/a.js: a()'), ask()].map(
      (messages) => messages.at(-1)?.content,
    )
    expect(whole).toContain('EARLIER\n- src/a.js: a()\n\nBEFORE\nIt failed before.')
    expect(without).toBe(whole?.replace('EARLIER\n- src/a.js: a()\n\n', ''))
  })

  it.each<[string, (refinement?: Refinement) => readonly Message[]]>([
    ['the whole change', (refinement) => draftPrompt({ ...told, refinement })],
    [
      'a step of a plan',
      (refinement) => draftPartPrompt({ ...told, part, done: [], again: '', refinement }),
    ],
  ])(
    'for %s has the reminder of its refinement before its last words, or has no lesson',
    (_, ask) => {
      const usual = ask()
      const last = usual.at(-1)?.content ?? ''
      const reminded = ask('close_code')
      expect(reminded.slice(0, -1)).toEqual(usual.slice(0, -1))
      expect(reminded.at(-1)?.content).toBe(
        last.replace(
          /(?=Write [^\n]*$)/,
          'Remember: close every bracket, quote and block of the code that you change.\n\n',
        ),
      )
      expect(ask('no_lesson')).toEqual([usual[0], usual.at(-1)])
      expect(ask('less_code')).toEqual(usual)
    },
  )

  it('is exactly this', () => {
    const messages = draftPrompt({
      task,
      plan: { files: [], complexity: 'low', steps: ['write it', 'test it'] },
      map: 'JavaScript (ESM)\nsrc/ 2 files',
      files: [
        { path: 'src/words.js', text: 'export {}\n', whole: true },
        { path: 'src/long.js', text: 'function long()', whole: false },
      ],
      history: 'It failed before: no such file.',
      feedback: null,
      targets: ['src/greet.js', 'src/words.js'],
      form: 'edits',
    })
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(messages[0]?.content).toBe(replyFormat('edits'))
    expect(asked(messages)).toBe(`PROJECT
JavaScript (ESM)
src/ 2 files

FILES
src/words.js
\`\`\`
export {}
\`\`\`

src/long.js (outline; ask nothing, edit only what you see)
\`\`\`
function long()
\`\`\`

PLAN
- write it
- test it

BEFORE
It failed before: no such file.

TASK T-1: Add a greeting
- Say hello.
Part of: Phase 1 / Words
Change only: src/greet.js, src/words.js
Must pass: npm test; node demo.js

Write src/greet.js, src/words.js: for each, its path alone on a line, then one code fence with SEARCH/REPLACE blocks.`)
  })

  it('leaves out what there is not', () => {
    const messages = draftPrompt({
      task: aTask(),
      plan: null,
      map: '',
      files: [],
      history: null,
      feedback: null,
      targets: [],
      form: 'whole',
    })
    expect(asked(messages)).toBe(
      'TASK T-1: Add a greeting\n\nWrite the files that the task needs: for each, its path alone on a line, then one code fence with the whole finished file.',
    )
  })

  it("ends with a reviewer's words, each in its place", () => {
    const threads = [
      { id: 'a', path: 'src/a.js', line: 3, text: 'Use a map\nhere' },
      { id: 'b', path: 'src/b.js', line: null, text: 'x'.repeat(5_000) },
    ]
    const messages = draftPrompt({
      task: aTask(),
      plan: null,
      map: '',
      files: [],
      history: null,
      feedback: { by: 'ada', text: 'Too long.', threads },
      targets: [],
      form: 'whole',
    })
    const [, review = ''] = asked(messages).split('REVIEW\n')
    expect(review).toContain('Too long.\n- src/a.js:3: Use a map here\n- src/b.js: xxx')
    expect(review.length).toBeLessThan(2_400)
  })

  it('ends with what checks print, to its last line', () => {
    const text = `test:\n${'ok\n'.repeat(1_500)}not ok at last`
    const threads = [{ id: '', path: 'src/a.js', line: 3, text: 'is not 2' }]
    const messages = draftPrompt({
      task: aTask(),
      plan: null,
      map: '',
      files: [],
      history: null,
      feedback: { of: 'checks', by: 'the checks', text, threads },
      targets: [],
      form: 'whole',
    })
    const [, checks = ''] = asked(messages).split('FAILED CHECKS\n')
    expect(checks).toContain('ok\nnot ok at last\n- src/a.js:3: is not 2')
    expect(checks).not.toContain('reviewer')
  })

  it('cuts a task that is a book, and says so', () => {
    const details = Array.from({ length: 2_000 }, (_, n) => `- line ${n}`).join('\n')
    const messages = draftPrompt({
      task: aTask({ details }),
      plan: null,
      map: '',
      files: [],
      history: null,
      feedback: null,
      targets: [],
      form: 'whole',
    })
    expect(asked(messages).length).toBeLessThan(6_200)
    expect(asked(messages)).toMatch(/\n\[\d+ more characters\]\n\nWrite /)
  })
})

/** A repair's words, around one problem or failure. */
describe('a repair prompt', () => {
  const problem = {
    path: 'src/greet.js',
    type: 'syntax',
    message: "'}' expected",
    line: 3,
    column: 9,
    excerpt: '> 3 | export {',
  }

  it('shows the place, the message and the lines around', () => {
    const messages = repairCodePrompt({ task: aTask(), problems: [problem] })
    expect(asked(messages)).toBe(`Task T-1: Add a greeting

src/greet.js:3:9
'}' expected
\`\`\`
> 3 | export {
\`\`\``)
    expect(messages[0]?.content).toContain('<<<<<<< SEARCH')
  })

  it('shows the first three problems, and those without a place as well', () => {
    const problems = [1, 2, 3, 4].map((n) => ({
      ...problem,
      message: `problem ${n}`,
      line: 0,
      excerpt: '',
    }))
    const shown = asked(repairCodePrompt({ task: aTask(), problems }))
    expect(shown).toContain('src/greet.js\nproblem 3')
    expect(shown).not.toContain('problem 4')
  })

  it('shows failures as they were read, and counts the rest', () => {
    const failure = {
      test: 'greets',
      file: 'test/a.test.js',
      line: 3,
      message: `no${'!'.repeat(900)}`,
      expected: "'hi'",
      actual: null,
      errorType: 'AssertionError',
      trace: ['test/a.test.js:3', 'b:1', 'c:1', 'd:1'],
    }
    const shown = asked(
      repairTestPrompt({
        task: aTask(),
        failures: [
          ...[failure, failure, failure, failure],
          { ...failure, test: 'leaves', file: 'test/b.test.js' },
        ],
        files: [{ path: 'src/greet.js', text: 'x', whole: true }],
        form: 'whole',
        targets: ['src/greet.js'],
        testExcerpt: "test('greets')",
      }),
    )
    expect(shown).toContain('Never change a failing test.')
    expect(shown).toContain('FAILED greets (test/a.test.js:3)\nAssertionError: no!')
    expect(shown).toContain("\nexpected: 'hi'\nat test/a.test.js:3, b:1, c:1\n")
    expect(shown.match(/more characters\]/g)).toHaveLength(3)
    expect(shown).toContain('FAILED leaves (test/b.test.js:3)')
    expect(shown).toContain('… and 2 more: greets, greets\n')
    expect(shown).toContain("THE TEST (read only)\n```\ntest('greets')\n```")
  })

  it.each([
    [
      'a.py',
      "ImportError: cannot import name 'b' from partially initialized module 'b' (most likely due to a circular import)",
      'Import it inside the function that uses it',
    ],
    ['a.js', "ReferenceError: Cannot access 'b' before initialization", 'Use it only inside'],
    ['a.go', 'import cycle not allowed', 'Move what both packages need'],
    ['a.js', "ReferenceError: Cannot access 'c' before initialization", null],
    ['a.js', 'a is not a function', null],
  ])('tells the remedy for files that import each other: %s, %s', (path, message, told) => {
    const shown = asked(
      repairTestPrompt({
        task: aTask(),
        failures: [failureSaying('loads', message)],
        files: [{ path, text: "import { a, b } from './b.js'\nconst c = 1\n", whole: true }],
        ...({ form: 'whole', targets: [path], testExcerpt: '' } as const),
      }),
    )
    expect(shown.includes('import each other')).toBe(told !== null)
    expect(shown).toContain(told ?? message)
  })
})

describe('a fence', () => {
  /** The line after the closing fence of the first one. */
  const afterFence = (text: string): string | undefined => {
    const lines = text.split('\n')
    const open = lines.findIndex((line) => /^`{3,}/.test(line))
    const fence = lines[open] ?? ''
    const close = lines.findIndex((line, n) => n > open && line === fence)
    return lines.slice(close + 1).join('\n')
  }

  it('is closed by nothing that a file holds', () => {
    const line = fc.constantFrom('```', '````', '`````js', '~~~', 'x', '', '`', '```` ')
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.join('\n')
        const files = [{ path: 'a.md', text, whole: true }]
        const draft = draftPrompt({
          task: aTask(),
          plan: null,
          map: '',
          files,
          history: null,
          feedback: null,
          targets: [],
          form: 'whole',
        })
        expect(afterFence(asked(draft))).toMatch(/^\nTASK T-1: Add a greeting\n\nWrite /)
        const problem = {
          path: 'a.md',
          type: 's',
          message: 'm',
          line: 1,
          column: 1,
          excerpt: `x${text}`,
        }
        expect(afterFence(asked(repairCodePrompt({ task: aTask(), problems: [problem] })))).toBe('')
      }),
    )
  })
})

describe('what comes back', () => {
  const failure = { at: 'failed' as const, message: 'no', problems: [], failures: [], output: '' }

  it('of a plan is read however it is wrapped, and bounded', () => {
    const steps = Array.from({ length: 50 }, () => ' step ')
    expect(
      readPlan(`<think>…</think>{"files": [" a.js "], "steps": ${JSON.stringify(steps)}}`),
    ).toEqual({
      value: {
        files: ['a.js'],
        complexity: 'medium',
        steps: steps.slice(0, 12).map((step) => step.trim()),
      },
    })
    expect(asked(planPrompt(aTask(), 'src/'))).toBe('PROJECT\nsrc/\n\nTASK T-1: Add a greeting')
  })

  it.each([
    ['a comma before a bracket', '{"files": ["a.js",], "complexity": "low",}'],
    ['a comment', '{"files": ["a.js"], // the only one\n"complexity": "low"}'],
  ])('of a plan is read despite %s', (_name, answer) => {
    expect(readPlan(answer)).toMatchObject({ value: { files: ['a.js'], complexity: 'low' } })
  })

  it.each([
    ['', 'it is empty'],
    ['<think>{"files": []}</think>', 'it is empty'],
    ['I would start with a file.', 'it is no JSON object'],
    ['} {', 'its JSON object has no end'],
    ['{"files": [', 'its JSON object has no end'],
    ['{"files": [}', 'it is not valid JSON: SyntaxError: Unexpected token'],
  ])('%j is no object, and says why', (answer, problem) => {
    expect(readPlan(answer)).toEqual({ problem: expect.stringContaining(problem) })
  })

  it('of a question why is one of the known reasons', () => {
    const read = (answer: string) => readClassification(answer, failure)
    expect(read('{"reason": "unknown", "explanation": " why "}')).toEqual({
      value: { reason: 'unknown', explanation: 'why' },
    })
    expect(read('{"reason": "bored", "explanation": "why"}')).toEqual({
      problem: expect.stringContaining('"reason" is none of task_too_vague'),
    })
    expect(read('{"reason": "unknown"}')).toEqual({
      problem: '"explanation" is no text',
    })
    expect(asked(classifyPrompt(aTask(), failure))).toContain('WHAT HAPPENED\nno')
    const change = {
      action: 'create',
      path: 'a.js',
      content: `let a\n${'// more\n'.repeat(900)}`,
    } as const
    const tries = { repairs: ['a brace is missing: not solved'], changes: [change] }
    const told = asked(classifyPrompt(aTask(), failure, tries))
    expect(told).toContain('WHAT WAS TRIED\na brace is missing: not solved\n')
    expect(told).toContain('THE LAST CODE\n```diff\n--- /dev/null\n+++ b/a.js\n')
    expect(told.length).toBeLessThan(3_500)
    expect(asked(classifyPrompt(aTask(), failure, tries, 1 / 8)).length).toBeLessThan(1_500)
  })

  it('of a question why is not the environment where the change was never run', () => {
    const answer = '{"reason": "environment_issue", "explanation": "why"}'
    const facts = { ...failure, at: 'repairs_spent' } as const
    const place = { file: null, line: null, trace: [], errorType: null }
    const red = { ...place, test: 'adds', message: 'no', expected: null, actual: null }
    const [unrun, run] = [facts, { ...facts, failures: [red] }]
    const offered = (what: Failure) => classifyPrompt(aTask(), what)[0]?.content
    expect(offered(unrun)).not.toMatch(/environment_issue|missing_dependency/)
    const broken = { path: 'a.js', type: 'import', message: 'no', line: 1, column: 1 } as const
    expect(offered({ ...unrun, problems: [broken] })).toContain('missing_dependency')
    expect(readClassification(answer, unrun)).toMatchObject({ value: { reason: 'unknown' } })
    expect(offered(run)).toContain('environment_issue')
    expect(readClassification(answer, run)).toMatchObject({
      value: { reason: 'environment_issue' },
    })
  })

  it('is never more than a value, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (answer) => {
        const plan = readPlan(answer)
        if ('value' in plan) expect(['low', 'medium', 'high']).toContain(plan.value.complexity)
        else expect(plan.problem).toMatch(/^it(?:s| )/)
        const found = readClassification(answer, failure)
        if ('value' in found) expect(typeof found.value.explanation).toBe('string')
      }),
    )
  })
})

it.each([
  ['short', 10, 'short'],
  ['one\ntwo\nthree', 8, 'one\ntwo\n[6 more characters]'],
  ['abcdefghij', 4, 'abcd\n[6 more characters]'],
])('%j at %i characters is %j', (text, characters, kept) => {
  expect(shortenFile(text, characters)).toBe(kept)
})
