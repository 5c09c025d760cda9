import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDataMask } from '../../secrets/redact.ts'

const hide = (text: string) => text.replaceAll('secret', '***')

describe('data', () => {
  it.each<[unknown, unknown]>([
    ['a secret', 'a ***'],
    [
      ['a', ['secret']],
      ['a', ['***']],
    ],
    [
      { a: 1, secret: { b: 'secret' } },
      { a: 1, '***': { b: '***' } },
    ],
    [new Map([['secret', ['secret']]]), new Map([['***', ['***']]])],
    [new Set(['a', 'secret']), new Set(['a', '***'])],
    [null, null],
    [undefined, undefined],
  ])('%j is masked wherever it is text', (data, masked) => {
    expect(createDataMask(hide)(data)).toEqual(masked)
  })

  it('without secrets is the same object, and so is each part without secrets', () => {
    const clean = { texts: ['a'], when: new Date(0), found: new Map([['a', 1]]) }
    const mask = createDataMask(hide)
    expect(mask(clean)).toBe(clean)
    const kept = mask({ clean, other: 'secret' })
    expect(kept.clean).toBe(clean)
  })

  it('that is remembered is masked once, and is the same each time', () => {
    let looks = 0
    const mask = createDataMask(
      (text) => {
        looks += 1
        return hide(text)
      },
      { remembers: true },
    )
    const data = { inner: { text: 'secret' } }
    expect(mask(data)).toBe(mask(data))
    expect(mask({ again: data }).again).toBe(mask(data))
    // Three keys and one text.
    expect(looks).toBe(4)
  })

  it('holds nothing to mask afterwards, whatever it is', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string().map((around) => `${around}secret${around}`),
    )
    const values = fc.anything({
      values: [text, fc.integer(), fc.boolean()],
      key: text,
      withMap: true,
    })
    fc.assert(
      fc.property(values, (data) => {
        const mask = createDataMask(hide)
        const once = mask(data)
        expect(mask(once)).toBe(once)
      }),
    )
  })
})
