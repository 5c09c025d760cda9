import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createTerminalPerson } from '../../src/adapters/terminal-person.ts'
import type { Answer } from '../../src/core/domain/answer.ts'
import type { Question } from '../../src/core/ports.ts'

const question: Question = {
  taskId: 'T-1',
  title: 'Delete files?',
  body: '- `rm -rf build`\n\ttwo',
  choices: ['approve', 'reject', 'skip', 'retry', 'defer'],
}

async function ask(
  typed: string,
  asked: Question = question,
  isTTY = true,
): Promise<{ answer: Answer | null; shown: string }> {
  const input = new PassThrough()
  const output = new PassThrough()
  input.end(typed)
  const answer = await createTerminalPerson({ input, output, isTTY }).ask(asked)
  output.end()
  return { answer, shown: await text(output) }
}

describe('a person at the terminal', () => {
  it.each<[string, Answer['choice']]>([
    ['a\n', 'approve'],
    ['r\n', 'reject'],
    ['s\n', 'skip'],
    ['t\n', 'retry'],
    ['d\n', 'defer'],
    ['  Approve \r\n', 'approve'],
    ['\nyes\nx\nretry\na\n', 'retry'],
    ['skip', 'skip'],
  ])('who types %j means %s', async (typed, choice) => {
    const { answer, shown } = await ask(typed)
    expect(answer).toMatchObject({ choice, by: expect.stringMatching(/./) })
    expect(shown).toContain('Delete files?')
    expect(shown).toContain(question.body)
    expect(shown).toContain('[a] approve  [r] reject')
  })

  it('can give no answer that was not offered', async () => {
    const { answer, shown } = await ask('a\napprove\ns\n', { ...question, choices: ['skip'] })
    expect(answer).toMatchObject({ choice: 'skip' })
    expect(shown).not.toContain('approve')
    expect(shown.match(/Please answer/g)).toHaveLength(2)
  })

  it('who is not there gives none: end of input, or no terminal', async () => {
    expect((await ask('')).answer).toBeNull()
    expect((await ask('what?\n')).answer).toBeNull()
    expect(await ask('a\n', question, false)).toEqual({ answer: null, shown: '' })
    const streams = { input: new PassThrough(), output: new PassThrough() }
    expect(createTerminalPerson({ ...streams, isTTY: false }).present).toBe(false)
    expect(createTerminalPerson({ ...streams, isTTY: true }).present).toBe(true)
  })

  it('can be asked again', async () => {
    const input = new PassThrough()
    const person = createTerminalPerson({ input, output: new PassThrough(), isTTY: true })
    const choices: (string | undefined)[] = []
    for (const typed of ['a\n', 's\n']) {
      const answer = person.ask(question)
      input.write(typed)
      choices.push((await answer)?.choice)
    }
    expect(choices).toEqual(['approve', 'skip'])
  })

  it('sees every character of the question, and none that moves or hides others', async () => {
    const body = 'safe\u001b[2K\rrm\u009b1A \u202e evil \u200b\u2066\u0007\u0000'
    const { shown } = await ask('a\n', { ...question, title: 'x\u001b]0;t\u0007', body })
    expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202e\u2066]/)
    expect(shown).toContain('safe\ufffd[2K\ufffdrm')
  })
})
