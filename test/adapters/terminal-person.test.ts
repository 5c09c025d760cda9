import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createTerminalPerson } from '../../src/adapters/terminal-person.ts'
import type { EditedText } from '../../src/adapters/text-editor.ts'
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
    ['y\n', 'approve'],
    ['Yes\n', 'approve'],
    ['n\n', 'reject'],
    ['no\n', 'reject'],
    ['\nyess\nx\nretry\na\n', 'retry'],
    ['skip', 'skip'],
  ])('who types %j means %s', async (typed, choice) => {
    const { answer, shown } = await ask(typed)
    expect(answer).toMatchObject({ choice, by: expect.stringMatching(/./) })
    expect(shown).toContain('Delete files?')
    expect(shown).toContain(question.body)
    expect(shown).toContain('[a] approve  [r] reject')
  })

  it('can give no answer that was not offered', async () => {
    const { answer, shown } = await ask('a\ny\napprove\ns\n', { ...question, choices: ['skip'] })
    expect(answer).toMatchObject({ choice: 'skip' })
    expect(shown).not.toContain('approve')
    expect(shown.match(/Answer with one of/g)).toHaveLength(3)
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

describe('a person who edits the proposal', () => {
  const read = (text: string) =>
    text.includes('- [ ]')
      ? {
          status: 'ok' as const,
          tasks: [{ id: 'T-1a', title: text.trim(), details: [], files: [] }],
        }
      : { status: 'refused' as const, reason: 'there is no task in it' }
  const edited: Question = { ...question, edit: { text: '- [ ] One\n', read } }

  async function edit(typed: string, ...saved: readonly EditedText[]) {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const opened: string[] = []
    const left = [...saved]
    const person = createTerminalPerson({
      ...{ input, output, isTTY: true },
      async editor(text) {
        opened.push(text.replace(/<!--[\s\S]*?-->\s*/, ''))
        return left.shift() ?? { status: 'ok', text }
      },
    })
    input.write(typed)
    const answer = await person.ask(edited)
    output.end()
    return { answer, opened, shown: await text(output) }
  }

  it.each(['e\n', 'edit\n', '/edit\n', 'E\n'])(
    'by %j starts from the proposed tasks',
    async (typed) => {
      const { answer, opened, shown } = await edit(typed)
      expect(answer).toMatchObject({ choice: 'edit', tasks: [{ title: '- [ ] One' }] })
      expect(opened).toEqual(['- [ ] One\n'])
      expect(shown).toContain('[e] edit')
    },
  )

  it.each<[string, EditedText, string]>([
    ['text without a task', { status: 'ok', text: 'One' }, 'there is no task in it'],
    ['nothing', { status: 'ok', text: '<!-- x -->\n' }, 'nothing was saved'],
    ['no editor', { status: 'failed', reason: 'it is not installed' }, 'it is not installed'],
  ])('is asked again after %s', async (_, saved, why) => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const person = createTerminalPerson({
      ...{ input, output, isTTY: true },
      // The second answer is typed while the editor is open.
      async editor() {
        input.write('s\n')
        return saved
      },
    })
    input.write('e\n')
    const answer = await person.ask(edited)
    output.end()
    expect(answer).toMatchObject({ choice: 'skip' })
    expect(await text(output)).toContain(`Not changed: ${why}.`)
  })

  it('who is offered no edit cannot edit', async () => {
    const { answer, shown } = await ask('e\nedit\na\n')
    expect(answer).toMatchObject({ choice: 'approve' })
    expect(shown).not.toContain('[e]')
  })
})
