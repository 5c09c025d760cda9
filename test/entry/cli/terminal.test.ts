import { WriteStream } from 'node:tty'
import { stripVTControlCharacters } from 'node:util'
import xterm from '@xterm/headless'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openLiveLine } from '../../../src/entry/cli/live-line.ts'
import { isMovable, openTerminal } from '../../../src/entry/cli/terminal.ts'
import { wrapWords } from '../../../src/entry/cli/wrap-words.ts'
import { columnsOf } from '../../../src/entry/progress/draw-line.ts'

const own = Object.getOwnPropertyDescriptors(process.stderr)

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  for (const name of ['isTTY', 'columns', 'getColorDepth'] as const) {
    const before = own[name]
    if (before === undefined) Reflect.deleteProperty(process.stderr, name)
    else Object.defineProperty(process.stderr, name, before)
  }
})

/** Standard error as a terminal has it, or a pipe; what is written to it. */
function openStderr(isTTY: boolean, columns = 80): readonly string[] {
  const written: string[] = []
  const terminal = { isTTY, columns, getColorDepth: WriteStream.prototype.getColorDepth }
  for (const [name, value] of Object.entries(terminal))
    Object.defineProperty(process.stderr, name, { value, configurable: true })
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0)
  return written
}

const names = ['NO_COLOR', 'FORCE_COLOR', 'NODE_DISABLE_COLORS', 'TERM', 'CI', 'COLORTERM'] as const

describe('a terminal', () => {
  it.each<[environment: string, isTTY: boolean, isPainted: boolean, isLive: boolean]>([
    ['TERM=xterm-256color', true, true, true],
    ['TERM=xterm-256color', false, false, false],
    ['TERM=xterm NO_COLOR=1', true, false, true],
    ['TERM=xterm NO_COLOR=', true, true, true],
    ['TERM=xterm NODE_DISABLE_COLORS=1', true, false, true],
    ['TERM=dumb', true, false, false],
    ['TERM=xterm FORCE_COLOR=0', true, false, true],
    ['TERM=xterm FORCE_COLOR=1', false, true, false],
    ['TERM=xterm CI=true GITHUB_ACTIONS=1', true, true, false],
    ['TERM=xterm CI=false', true, false, true],
  ])('with %s, opened as a terminal: %s', (environment, isTTY, isPainted, isLive) => {
    openStderr(isTTY)
    for (const name of names) vi.stubEnv(name, undefined)
    for (const pair of environment.split(' ')) {
      const [name = '', value] = pair.split('=')
      vi.stubEnv(name, value)
    }
    const terminal = openTerminal()
    expect(terminal.paint('red', 'x') !== 'x').toBe(isPainted)
    expect(terminal.live !== null).toBe(isLive)
    expect(isMovable(isTTY, process.env)).toBe(isLive)
  })

  it('prints colours to a terminal, and none into a file', () => {
    openStderr(true)
    vi.stubEnv('TERM', 'xterm-256color')
    for (const name of ['NO_COLOR', 'FORCE_COLOR', 'NODE_DISABLE_COLORS', 'CI'] as const)
      vi.stubEnv(name, undefined)
    const printed: string[] = []
    const write = (chunk: unknown) => printed.push(String(chunk)) > 0
    vi.spyOn(process.stdout, 'write').mockImplementation(write)
    const { isTTY } = process.stdout
    for (const value of [true, false]) {
      Object.defineProperty(process.stdout, 'isTTY', { value, configurable: true })
      const { paint, print } = openTerminal()
      print(`${paint('bold', 'Changed')} \u001B]0;x`)
    }
    Object.defineProperty(process.stdout, 'isTTY', { value: isTTY, configurable: true })
    expect(printed).toEqual(['\u001B[1mChanged\u001B[22m \\u001b]0;x\n', 'Changed \\u001b]0;x\n'])
  })

  it('breaks what is said between words, and what goes into a pipe nowhere', () => {
    vi.stubEnv('TERM', 'dumb')
    const words = 'one two three four five six seven eight nine ten'
    const onTerminal = openStderr(true, 24)
    openTerminal().say(`  ${words}`)
    expect(onTerminal).toEqual(['  one two three four\n    five six seven eight\n    nine ten\n'])
    const inPipe = openStderr(false, 24)
    openTerminal().say(`  ${words}`)
    expect(inPipe).toEqual([`  ${words}\n`])
  })
})

describe('wrapped words', () => {
  const text =
    '✔ T-1 in review https://github.com/octo-org/a-rather-long-name/pull/1234567 \u001B[2m日本語, and テキスト once more\u001B[22m, then the end.'

  it.each([undefined, 0, 1, 19])('stay as they are at %s columns', (columns) => {
    expect(wrapWords(text, columns)).toBe(text)
  })

  it.each([20, 40, 80, 200])('fit into %i columns, but for a word that is longer', (columns) => {
    const wrapped = stripVTControlCharacters(wrapWords(`${text}\n    ${text}`, columns))
    const whole = stripVTControlCharacters(`${text} ${text}`)
    expect(wrapped.replaceAll(/\s+/g, ' ')).toBe(whole)
    for (const line of wrapped.split('\n'))
      if (!line.includes('https:')) expect(columnsOf(line)).toBeLessThanOrEqual(columns)
  })
})

describe('the live line', () => {
  const open = (columns = 80) => {
    const written: string[] = []
    const stream = { columns, write: (text: string) => written.push(text) > 0 }
    return { live: openLiveLine(stream, (text) => text.replace('secret', '***')), written, stream }
  }

  it('is drawn with the cursor at its beginning, from where all of it can be erased', () => {
    const { live, written } = open()
    live.writeAbove('before\n')
    live.show('one')
    live.show('one')
    live.writeAbove('said\n')
    live.show('two\nsecret')
    live.show('')
    live.show('')
    expect(written).toEqual([
      'before\n',
      'one\u001B[J\r',
      '\u001B[Jsaid\none\u001B[J\r',
      'two ***\u001B[J\r',
      '\u001B[J',
    ])
  })

  it('has a line for each task that moves, and stays where its first one is', () => {
    const { live, written } = open()
    live.show('one', 'two')
    live.writeAbove('said\n')
    live.show('three')
    live.show(...Array.from({ length: 20 }, (_, index) => `${index}`))
    expect(written.slice(0, 3)).toEqual([
      'one\ntwo\u001B[J\r\u001B[1A',
      '\u001B[Jsaid\none\ntwo\u001B[J\r\u001B[1A',
      '\u001B[Jthree\u001B[J\r',
    ])
    expect(written[3]).toMatch(/\n11\u001B\[J\r\u001B\[11A$/)
  })

  it.each([
    [40, 20],
    [80, 120],
    [200, 30],
  ])('leaves nothing behind when %i columns become %i', async (before, after) => {
    const { live, written, stream } = open(before)
    const terminal = new xterm.Terminal({ cols: before, rows: 12, allowProposedApi: true })
    const draw = () =>
      // A terminal turns a line feed into a new line.
      new Promise<void>((done) =>
        terminal.write(written.splice(0).join('').replaceAll('\n', '\r\n'), done),
      )
    live.writeAbove('first\n')
    live.show('x'.repeat(before - 1))
    await draw()
    terminal.resize(after, 12)
    stream.columns = after
    live.show('y'.repeat(after - 1))
    live.writeAbove('second\n')
    await draw()
    const { active } = terminal.buffer
    const lines = Array.from({ length: active.length }, (_, row) =>
      active.getLine(row)?.translateToString(true),
    )
    expect(lines.filter((line) => line !== '')).toEqual(['first', 'second', 'y'.repeat(after - 1)])
  })

  it('knows how wide the terminal is now', () => {
    const { live, stream } = open(80)
    stream.columns = 20
    expect(live.width()).toBe(20)
    Object.assign(stream, { columns: undefined })
    expect(live.width()).toBe(0)
  })
})
