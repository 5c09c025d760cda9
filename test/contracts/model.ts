import { describe, expect, it } from 'vitest'
import type { Model, ModelRequest } from '../../src/core/ports/model.ts'

/** What the model behind the port will say, one entry a call. */
export type Saying =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'cut'; readonly text: string }
  | { readonly kind: 'unavailable'; readonly retryAt: string }
  | { readonly kind: 'rejected' }

/** The instant at which a model of this suite is started. */
export const contractNow = '2026-01-02T03:04:05.000Z'

const request: ModelRequest = {
  purpose: 'draft',
  model: 'any-model',
  messages: [
    { role: 'system', content: 'You write code.' },
    { role: 'user', content: 'Write a function.' },
  ],
  maxOutputTokens: 1000,
  continuations: 0,
  json: false,
}

/**
 * The promises of the Model port. `use` starts a model that says these things, and stops it after;
 * `pass` lets seconds pass for it.
 */
export function testModelContract(
  name: string,
  use: (
    sayings: readonly Saying[],
    test: (model: Model, pass: (seconds: number) => void) => Promise<void>,
  ) => Promise<void>,
): void {
  describe(`${name} keeps the Model contract`, () => {
    it.each([
      'one line',
      '',
      '{"files": []}',
      'zwölf Boxkämpfer 🥊\r\n\ttabs and ```fences```\n\n',
      'long '.repeat(700),
    ])('gives the text as it is: %j', (text) =>
      use([{ kind: 'answer', text }], async (model) => {
        const reply = await model.complete(request)
        expect(reply).toMatchObject({ status: 'answered', text, finish: 'stop' })
      }),
    )

    it('books one request and its tokens', () =>
      use([{ kind: 'answer', text: 'x'.repeat(400) }], async (model) => {
        const { usage } = await model.complete(request)
        expect(usage).toMatchObject({ requests: 1, completionTokens: 100 })
        expect(usage.promptTokens).toBeGreaterThan(8)
      }))

    it('says when an answer was cut', () =>
      use([{ kind: 'cut', text: 'function a() {' }], async (model) => {
        const reply = await model.complete(request)
        expect(reply).toMatchObject({ text: 'function a() {', finish: 'length' })
      }))

    it('is unavailable when told to wait, and answers again later', () => {
      const retryAt = '2026-01-02T04:04:05.000Z'
      const sayings: Saying[] = [
        { kind: 'unavailable', retryAt },
        { kind: 'answer', text: 'back' },
      ]
      return use(sayings, async (model, pass) => {
        const reply = await model.complete(request)
        expect(reply).toMatchObject({ status: 'unavailable', retryAt })
        expect(reply.usage).toMatchObject({ promptTokens: 0, completionTokens: 0, dollars: 0 })
        pass(3600)
        expect(await model.complete(request)).toMatchObject({ text: 'back' })
      })
    })

    it('throws model_rejected when no retry can help', () =>
      use([{ kind: 'rejected' }], async (model) => {
        await expect(model.complete(request)).rejects.toMatchObject({ code: 'model_rejected' })
      }))

    it('answers calls at the same time', () => {
      const texts = ['a', 'b', 'c', 'd']
      const sayings = texts.map((text): Saying => ({ kind: 'answer', text }))
      return use(sayings, async (model) => {
        const replies = await Promise.all(texts.map(() => model.complete(request)))
        const said = replies.map((reply) => (reply.status === 'answered' ? reply.text : null))
        expect(said.toSorted()).toEqual(texts)
      })
    })
  })
}
