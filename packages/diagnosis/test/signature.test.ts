import { describe, expect, it } from 'vitest'
import { signatureOf } from '../diagnose.ts'

const of = (message: string, tool = 'npm test') =>
  signatureOf({ type: 'missing_dependency', tool, message })

describe('the signature of an error', () => {
  it.each([
    ["Cannot find module './add.js'", "Cannot find module '../sum/add.mjs'"],
    ['src/a.js:3:14 unexpected end', 'lib/b/c.js:77:2 unexpected end'],
    ['commit 1f3a9c0de77 is not known', 'commit 9b8c7d6e5f4a3b2c1d0e is not known'],
    ['\u001b[31mstopped after 12 s\u001b[0m', 'stopped after 7 s'],
    ['`greet` is not defined', '`wave` is not defined'],
    ['greet is not defined', 'wave is not defined'],
    ['cart.add is not a function', 'order.items.push is not a function'],
    ['undefined: Slug', 'undefined: shop.Slug'],
    ['declared and not used: a', 'declared and not used: total'],
    [
      "add() missing 1 required positional argument: 'b'",
      "sum() missing 2 required positional argument: 'x'",
    ],
    ['Undefined variable $cart', 'Undefined variable $order'],
    ['C:\\w\\a.py is locked', 'D:\\x\\y\\b.py is locked'],
    ['no  such\tthing', 'no such thing\nand more of it'],
  ])('is the same for %j and %j', (one, other) => {
    expect(of(one)).toBe(of(other))
  })

  it.each([
    ['sh: 1: pytst: not found', 'sh: 1: jset: not found'],
    ['Permission denied', 'Connection refused'],
  ])('is another for %j and %j', (one, other) => {
    expect(of(one)).not.toBe(of(other))
  })

  it('is of one command, and bounded', () => {
    expect(of('x', 'npm test')).not.toBe(of('x', 'npm run lint'))
    const long = `npm test -- ${'test/unit/of/a/long/path.test.js '.repeat(8)}`
    expect(of('x', `${long}--tset`)).not.toBe(of('x', `${long}--wacth`))
    expect(of("'".repeat(90_000) + '/'.repeat(90_000), 'y'.repeat(9_000)).length).toBeLessThan(320)
  })
})
