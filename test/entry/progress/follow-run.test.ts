import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../packages/text/secrets/redact.ts'
import { keepTail } from '../../../src/entry/progress/follow-run.ts'

const secret = 'correct-horse-battery-staple-42'

/** The last line of these pieces, long after the last of them. */
function lastOf(pieces: readonly string[], after = 10): string {
  const tail = keepTail(createRedactor([secret]))
  for (const piece of pieces) tail.add(piece, 0)
  return tail.lastLine(after)
}

describe('the last line of an output', () => {
  it.each<[name: string, pieces: readonly string[], expected: string]>([
    ['a line', ['first\nsecond\n'], 'second'],
    ['in pieces', ['fir', 'st\nsec', 'ond', '\n\n  \n'], 'second'],
    ['nothing', ['\n\n'], ''],
    ['brackets of JSON alone', ['  "answer": 42\n  }\n}\n'], '"answer": 42'],
    ['colours', ['\u001B[1m\u001B[32mdone\u001B[0m in 3 s\u001B[K\n'], 'done in 3 s'],
    [
      'a bar of pip, drawn anew with carriage returns',
      ['  ━━╸   1.0/3.1 MB\r', '  ━━━━━ 3.1/3.1 MB eta 0:00:00\r'],
      '━━━━━ 3.1/3.1 MB eta 0:00:00',
    ],
    [
      'a spinner of npm',
      ['\u001B[1G\u001B[0K⠙\u001B[1G\u001B[0Kadded 3 packages\n'],
      'added 3 packages',
    ],
    [
      'a bar of cargo',
      ['    Building [=====>   ] 41/77: serde\r'],
      'Building [=====> ] 41/77: serde',
    ],
    [
      'a title, a hidden word, a bell',
      ['\u001B]0;x\u0007\u001B[8mgone\u001B[0mseen\u0007\n'],
      'seen',
    ],
    ['letters turned around, and unseen ones', ['a\u202Ebc\u200B\u2066d\n'], 'abcd'],
    [
      'a lone escape and C1 controls',
      ['a\u001B\u009Bb\u0085c\n'],
      expect.stringMatching(/^[abc]+$/),
    ],
    ['a secret', [`token ${secret}\n`], 'token ***'],
    [
      'a secret in two pieces',
      [`token ${secret.slice(0, 9)}`, `${secret.slice(9)}\n`],
      'token ***',
    ],
    [
      'a secret with colours inside',
      [`token ${secret.slice(0, 9)}\u001B[0m\u200B${secret.slice(9)}\n`],
      'token ***',
    ],
    ['a token that nobody registered', [`ghp_${'a1'.repeat(18)}\n`], '***'],
  ])('is shown of %s', (_, pieces, expected) => {
    expect(lastOf(pieces)).toEqual(expected)
  })

  it('that has no end yet is shown once nothing more comes: half a secret is none', () => {
    const pieces = [`ready\ntoken ${secret.slice(0, 9)}`]
    expect(lastOf(pieces, 0.1)).toBe('ready')
    expect(lastOf(['ready\n12 of 80'], 1)).toBe('12 of 80')
  })

  it('shows no rest of a secret whose beginning is out of sight', () => {
    const line = `${secret}${'y'.repeat(8192 - secret.length + 9)}`
    expect(lastOf([line])).toBe('')
    expect(lastOf([`${line}\n`, 'done\n'])).toBe('done')
    expect(lastOf(['a\n'.repeat(9000)])).toBe('a')
  })

  it('is short, and found at once, whatever comes', () => {
    const tail = keepTail(createRedactor([secret]))
    const long = `${'x'.repeat(900)}\u001B[1mü\r`.repeat(2000)
    for (let index = 0; index < 50; index += 1) tail.add(long, index)
    expect(tail.lastLine(100).length).toBeLessThanOrEqual(400)
    expect(tail.text().length).toBeLessThanOrEqual(8192)
  })
})
