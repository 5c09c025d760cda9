import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWasmSyntaxChecker } from '../wasm-syntax-checker.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'syntax-checker-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A child that does this with each question; `starts` counts in a file how often it was started. */
async function childThat(
  name: string,
  body: string,
): Promise<{ url: URL; starts(): Promise<number> }> {
  const program = join(folder, `${name}.mjs`)
  const log = join(folder, `${name}.log`)
  await writeFile(
    program,
    `import { appendFileSync, readFileSync } from 'node:fs'
appendFileSync(${JSON.stringify(log)}, 'x')
const starts = readFileSync(${JSON.stringify(log)}, 'utf8').length
process.on('message', ({ id, language, text }) => { ${body} })
`,
  )
  return {
    url: pathToFileURL(program),
    starts: () =>
      readFile(log, 'utf8').then(
        (text) => text.length,
        () => 0,
      ),
  }
}

const answer = 'process.send({ id, problems: [] })'
const crash = "process.kill(process.pid, 'SIGKILL')"

describe('the parser for Python', () => {
  const checker = createWasmSyntaxChecker()
  afterAll(() => checker.close())

  test('names line and column in UTF-16 units', async () => {
    expect(await checker.check('python', 'x = 1\n"😀", (\n')).toEqual({
      status: 'checked',
      problems: [{ message: 'unexpected EOF while parsing', line: 3, column: 1 }],
    })
    expect(await checker.check('python', '"😀"; return\n')).toMatchObject({
      problems: [{ line: 1, column: 7 }],
    })
  })

  test('answers questions asked at once, each its own', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `${'\n'.repeat(index)}x = (`)
    const answers = await Promise.all(texts.map((text) => checker.check('python', text)))
    const lines = answers.map((found) => found.status === 'checked' && found.problems[0]?.line)
    expect(lines).toEqual(texts.map((_, index) => index + 1))
  })

  test.each([
    ['nesting', '('.repeat(1_000_000), 1],
    ['a NUL', 'x = 1\0\n', 2],
    ['a lone surrogate', 'x = "\ud800"\n', 0],
    ['a byte order mark', '\uFEFFx = 1\r\n', 0],
    ['nothing', '', 0],
    ['a megabyte of code', 'x = 1\n'.repeat(160_000), 0],
  ])('survives %s, and goes on', async (_name, text, problems) => {
    const found = await checker.check('python', text)
    expect(found.status === 'checked' && found.problems.length).toBe(problems)
    expect(await checker.check('python', 'x = 1\n')).toEqual({ status: 'checked', problems: [] })
  })
})

describe('the child process', () => {
  test('is started by the first text only, and once', async () => {
    const child = await childThat('once', answer)
    const checker = createWasmSyntaxChecker({ child: child.url })
    expect(await child.starts()).toBe(0)
    await checker.check('python', '')
    await checker.check('python', '')
    expect(await child.starts()).toBe(1)
    await checker.close()
  })

  test('killed in the middle, is started again and answers', async () => {
    const child = await childThat('dies-once', `if (starts === 1) ${crash}; else ${answer}`)
    const checker = createWasmSyntaxChecker({ child: child.url })
    expect(await checker.check('python', '')).toEqual({ status: 'checked', problems: [] })
    expect(await child.starts()).toBe(2)
    await checker.close()
  })

  test('killed twice, is unavailable for this text and there for the next', async () => {
    const child = await childThat('dies', `if (text === 'bad') ${crash}; else ${answer}`)
    const checker = createWasmSyntaxChecker({ child: child.url })
    const answers = await Promise.all(['bad', 'good'].map((text) => checker.check('python', text)))
    expect(answers).toEqual([
      { status: 'unavailable', reason: 'the parser ended with SIGKILL' },
      { status: 'checked', problems: [] },
    ])
    expect(await child.starts()).toBe(3)
    await checker.close()
  })

  test('killed between two texts, is started again', async () => {
    const child = await childThat('dies-later', `${answer}; setImmediate(() => process.exit(1))`)
    const checker = createWasmSyntaxChecker({ child: child.url })
    for (const text of ['a', 'b', 'c', 'd']) {
      expect(await checker.check('python', text)).toEqual({ status: 'checked', problems: [] })
    }
    await checker.close()
  })

  test('hung, is killed after its time', async () => {
    const child = await childThat('hangs', 'for (;;) {}')
    const checker = createWasmSyntaxChecker({ child: child.url, timeoutMs: 300 })
    expect(await checker.check('python', '')).toEqual({
      status: 'unavailable',
      reason: 'the parser did not answer within 300 ms',
    })
    expect(await child.starts()).toBe(1)
    await checker.close()
  })

  test('stuck with one text, answers the next', async () => {
    const child = await childThat('sticks', `if (text === 'bad') for (;;) {} ${answer}`)
    const checker = createWasmSyntaxChecker({ child: child.url, timeoutMs: 500 })
    const answers = await Promise.all(['bad', 'good'].map((text) => checker.check('php', text)))
    expect(answers.map(({ status }) => status)).toEqual(['unavailable', 'checked'])
    await checker.close()
  })

  test('that cannot do it, says why and is not asked again', async () => {
    const child = await childThat('fails', "process.send({ id, failure: 'no such grammar' })")
    const checker = createWasmSyntaxChecker({ child: child.url })
    const found = await checker.check('swift', '')
    expect(found).toEqual({ status: 'unavailable', reason: 'no such grammar' })
    expect(await child.starts()).toBe(1)
    await checker.close()
  })

  test('is told the language', async () => {
    const child = await childThat(
      'language',
      'process.send({ id, problems: [{ message: language }] })',
    )
    const checker = createWasmSyntaxChecker({ child: child.url })
    expect(await checker.check('ruby', '')).toMatchObject({ problems: [{ message: 'ruby' }] })
    await checker.close()
  })

  test('missing, is unavailable', async () => {
    const checker = createWasmSyntaxChecker({ child: pathToFileURL(join(folder, 'none.mjs')) })
    expect(await checker.check('python', '')).toMatchObject({ status: 'unavailable' })
  })

  test('closed in the middle, gives no answer and is not started again', async () => {
    const child = await childThat('closed', 'process.send({ id: -1 })')
    const checker = createWasmSyntaxChecker({ child: child.url })
    const asked = checker.check('python', '')
    while ((await child.starts()) === 0) await new Promise(setImmediate)
    await checker.close()
    expect(await asked).toMatchObject({ status: 'unavailable' })
    expect(await checker.check('python', '')).toMatchObject({ status: 'unavailable' })
    expect(await child.starts()).toBe(1)
  })

  test('sees no environment variable', async () => {
    const body = 'process.send({ id, problems: [{ message: Object.keys(process.env).join() }] })'
    const child = await childThat('environment', body)
    const checker = createWasmSyntaxChecker({ child: child.url })
    const found = await checker.check('python', '')
    expect(found).toEqual({ status: 'checked', problems: [{ message: '' }] })
    await checker.close()
  })

  test('does not keep its parent alive, and does not outlive it', async () => {
    const child = await childThat(
      'idle',
      'process.send({ id, problems: [{ message: String(process.pid) }] })',
    )
    const source = pathToFileURL(join(import.meta.dirname, '../wasm-syntax-checker.ts'))
    const script = `const { createWasmSyntaxChecker } = await import(${JSON.stringify(source.href)})
const checker = createWasmSyntaxChecker({ child: new URL(${JSON.stringify(child.url.href)}) })
console.log((await checker.check('python', '')).problems[0].message)`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script],
      {
        timeout: 30_000,
      },
    )
    expect(stdout).toMatch(/^\d+\n$/)
    while (isAlive(Number(stdout))) await new Promise(setImmediate)
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
