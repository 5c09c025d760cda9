import { expect, it } from 'vitest'
import { askForAnswers } from '../../../src/entry/cli/ask-for-answers.ts'

const nothing = { model: null, baseUrl: null }
const python = { language: { id: 'python', files: 3 } as const, tests: ['pytest'], roadmap: null }
const todo = { ...python, roadmap: { path: 'TODO.md', open: 2, tasks: 3 } }
const untested = { ...python, tests: [] }

async function play(
  known: Parameters<typeof askForAnswers>[0],
  around: Parameters<typeof askForAnswers>[1],
  typed: readonly (string | null)[],
  server: Parameters<typeof askForAnswers>[3] = null,
) {
  const asked: string[] = []
  const ask = async (question: string) => {
    asked.push(question)
    return typed[asked.length - 1] ?? null
  }
  const answers = await askForAnswers(known, around, ask, server)
  return { answers, asked }
}

it.each([
  ['nothing typed', nothing, python, [], { ...nothing, roadmap: null, testCommand: null }, 2],
  [
    'a server and a model',
    nothing,
    python,
    ['http://localhost:1/v1', ' m '],
    { baseUrl: 'http://localhost:1/v1', model: 'm' },
    2,
  ],
  [
    'addresses that are none first',
    nothing,
    python,
    ['localhost', 'http://x:99999/v1', 'http://[', 'http://x/v1', 'm'],
    { baseUrl: 'http://x/v1', model: 'm' },
    5,
  ],
  ['both known already', { model: 'm', baseUrl: 'http://x' }, python, [], { model: 'm' }, 0],
  ['a list found, and taken', nothing, todo, ['', '', ''], { roadmap: 'TODO.md' }, 3],
  ['a list found, and not wanted', nothing, todo, ['', '', 'no'], { roadmap: null }, 3],
  ['no tests found', nothing, untested, ['', '', 'make check'], { testCommand: 'make check' }, 3],
] as const)('%s', async (_, known, around, typed, expected, questions) => {
  const { answers, asked } = await play(known, around, typed)
  expect(answers).toMatchObject(expected)
  expect(asked).toHaveLength(questions)
})

it('asks nothing without a person, and takes the list that it found', async () => {
  expect(await askForAnswers(nothing, todo, null)).toEqual({
    ...nothing,
    ...{ roadmap: 'TODO.md', testCommand: null },
  })
})

const ollama = { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: ['coder', 'chat'] }

it.each([
  ['taken by Enter', nothing, [], { baseUrl: ollama.baseUrl, model: 'coder' }],
  ['taken with another model', nothing, ['', 'chat'], { model: 'chat' }],
  ['not taken', nothing, ['https://x/v1', ''], { baseUrl: 'https://x/v1', model: null }],
  ['not needed', { model: null, baseUrl: 'http://y' }, [], { baseUrl: 'http://y', model: null }],
] as const)('a server on this machine is proposed, and %s', async (_, known, typed, expected) => {
  const { answers, asked } = await play(known, python, typed, ollama)
  expect(answers).toMatchObject(expected)
  expect(asked.length).toBeLessThanOrEqual(2)
  if (known === nothing) expect(asked[0]).toBe(`Model endpoint [${ollama.baseUrl}]: `)
})

it('does not take a server without a person', async () => {
  expect(await askForAnswers(nothing, python, null, ollama)).toMatchObject(nothing)
})
