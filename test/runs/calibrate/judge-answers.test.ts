import { afterAll, describe, expect, it } from 'vitest'
import { createWasmSyntaxChecker } from '../../../packages/source/wasm-syntax-checker.ts'
import {
  judgeDraft,
  judgeJson,
  judgeRepair,
  judgeToolCall,
} from '../../../src/runs/calibrate/judge-answers.ts'
import { brokenChange, codeTasks, type SmallTask } from '../../../src/runs/calibrate/small-tasks.ts'

const syntax = createWasmSyntaxChecker()
afterAll(() => syntax.close())

const [stub, , basket] = codeTasks
if (stub === undefined || basket === undefined) throw new Error('The tasks are gone.')

const whole = (text: string, path = stub.path) => `${path}\n\`\`\`python\n${text}\`\`\`\n`
const edit = (search: string, replace: string, { path }: SmallTask = basket) =>
  whole(`<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`, path)

const solved = 'def count_vowels(text):\n    return sum(c in "aeiou" for c in text.lower())\n'
const sum = '        return sum(price for _, price, _ in self._lines)'
const mended = '        return sum(price * many for _, price, many in self._lines)'

describe('judgeDraft, of a whole file', () => {
  it.each([
    ['the file', whole(solved), 'usable'],
    [
      'a solution that is wrong, which only tests can tell',
      whole('def count_vowels(t):\n    return 9\n'),
      'usable',
    ],
    ['a file without its name', `\`\`\`python\n${solved}\`\`\``, 'usable'],
    ['thoughts before the file', `<think>\nHm.\n</think>\nSure!\n\n${whole(solved)}`, 'usable'],
    ['nothing', '', 'was empty'],
    ['words', 'I would use a generator expression.', 'no file'],
    ['the stub as it is', whole(stub.text), /nothing|same|repeats/],
    [
      'code that does not parse',
      whole('def count_vowels(text):\n    return sum((\n'),
      'does not parse',
    ],
    ['another function', whole('def vowels(text):\n    return 0\n'), 'loses count_vowels'],
    ['a stub that still raises', whole(`${stub.text}\n\nX = 1\n`), 'leaves the task'],
    [
      'code that is left out',
      whole('def count_vowels(text):\n    # ... rest of the code\n'),
      /leaves/,
    ],
    ['another file instead', whole(solved, 'words/other.py'), /changes nothing|other/],
    ['another file besides', `${whole(solved)}\n${whole('X = 1\n', 'words/x.py')}`, 'other files'],
    ['a path out of the repository', whole(solved, '../../etc/passwd'), /./],
    ['a deletion', `DELETE: ${stub.path}`, 'changes nothing'],
    ['an edit', edit('    raise NotImplementedError', '    return 0', stub), 'in another form'],
  ])('%s', async (_, answer, why) => {
    const judged = await judgeDraft(answer, stub, 'whole', { syntax })
    expect(judged.why).toMatch(why)
    expect(judged.good).toBe(why === 'usable')
    expect(judged).not.toHaveProperty('isEcho')
    expect(judged).not.toHaveProperty('isClaim')
  })

  it.each([
    ['the test that was shown', whole(stub.test.text, stub.test.path)],
    ['the test under the name of the file', whole(stub.test.text)],
    ['another test in its place', whole('def test_it():\n    pass\n', stub.test.path)],
  ])('an echo: %s', async (_, answer) => {
    expect(await judgeDraft(answer, stub, 'whole', { syntax })).toMatchObject({
      ...{ good: false, isEcho: true },
    })
  })

  it.each(['NOTHING_TO_DO', '```\nNOTHING_TO_DO\n```', 'NOTHING_TO_DO: it is there already.'])(
    'a claim: %s',
    async (answer) => {
      expect(await judgeDraft(answer, stub, 'whole', { syntax })).toMatchObject({
        ...{ good: false, isClaim: true },
      })
    },
  )
})

describe('judgeDraft, of edits', () => {
  it.each([
    ['an edit whose SEARCH fits', edit(sum, mended), 'usable'],
    [
      'an edit whose SEARCH is not in the file',
      edit('return sum(p for p in self.lines)', mended),
      /SEARCH|found/,
    ],
    ['a whole file', whole(basket.text.replace(sum, mended), basket.path), 'in another form'],
    ['an edit that breaks the file', edit(sum, '        return sum(('), 'does not parse'],
    ['an edit that changes nothing', edit(sum, sum), /nothing|same/],
    [
      'an edit beside the task',
      edit('return len(self._lines) == 0', 'return not self._lines'),
      /./,
    ],
    ['an edit that is cut', `${basket.path}\n\`\`\`\n<<<<<<< SEARCH\n${sum}\n=====`, /./],
  ])('%s', async (_, answer, why) => {
    const judged = await judgeDraft(answer, basket, 'edits', { syntax })
    expect(judged.why).toMatch(why)
    expect(judged.good).toBe(why === 'usable')
  })
})

describe('judgeJson', () => {
  const json = '{"reason": "environment_issue", "explanation": "pixel-tools is missing"}'
  it.each([
    ['the object', json, true],
    ['the object in a fence, with words', `Here it is:\n\`\`\`json\n${json}\n\`\`\``, true],
    ['another reason', json.replace('environment_issue', 'bad_luck'), false],
    ['no explanation', '{"reason": "unknown"}', false],
    ['fields of every object', '{"__proto__": {"reason": "unknown", "explanation": "x"}}', false],
    ['a list', '[1, 2]', false],
    ['half of it', json.slice(0, 20), false],
    ['nothing', '', false],
  ])('%s', (_, answer, good) => {
    expect(judgeJson(answer).good).toBe(good)
  })
})

describe('judgeToolCall', () => {
  it.each([
    [
      'the form of the prompt',
      'I look.\n```json\n{"tool": "read_file", "arguments": {"path": "src/greet.js"}}\n```',
      true,
    ],
    ['a bare object', '{"tool": "grep", "arguments": {"words": "greet"}}', true],
    [
      'two calls',
      '{"tool": "list_files", "arguments": {}}\n{"tool": "done", "arguments": {}}',
      true,
    ],
    ['a change of what it did not see', whole('export const greet = 1\n', 'src/greet.js'), false],
    ['done at once', '{"tool": "done", "arguments": {}}', false],
    ['a claim', 'NOTHING_TO_DO', false],
    ['a tool that does not exist', '{"tool": "shell", "arguments": {"command": "ls"}}', false],
    ['arguments that are no object', '{"tool": "read_file", "arguments": "src/greet.js"}', false],
    ['words', 'I would read src/greet.js first.', false],
    ['nothing', '', false],
  ])('%s', async (_, answer, good) => {
    expect((await judgeToolCall(answer)).good).toBe(good)
  })
})

describe('judgeRepair', () => {
  const { path, text } = brokenChange
  const line = '    return sum(values) / max(1, len(values)'
  const task = { ...stub, path }
  it.each([
    ['the edit', edit(line, `${line})`, task), true],
    ['the whole file', whole(`${text.trimEnd()})\n`, path), true],
    ['the same again', edit(line, line, task), false],
    ['an edit that leaves it broken', edit(line, `    # mean\n${line}`, task), false],
    ['a file without the function', whole('X = 1\n', path), false],
    ['nothing', '', false],
  ])('%s', async (_, answer, good) => {
    const judged = await judgeRepair(answer, { syntax })
    expect(judged.good).toBe(good)
  })
})
