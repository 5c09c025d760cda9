/** What models put around an answer that is right. */
import type { FileChange } from '../answer.ts'
import { cannotSay, type Shape, shapes, writeAnswer } from '../replay/write-answer.ts'
import { fenced, type Wrapping } from './wrapping.ts'

type Around = (answer: string, changes: readonly FileChange[]) => string | null

const prose =
  'I looked at the code and made the change with as little as possible:\n\n- The function does what the task says.\n- Nothing else is touched.\n'

const around: readonly (readonly [name: string, seen: string | null, Around])[] = [
  [
    'prose before and after',
    null,
    (answer) => `${prose}\n${answer}\nLet me know if anything is unclear!\n`,
  ],
  [
    'a usage block after it',
    null,
    (answer) =>
      `${answer}\n## Usage\n\n${fenced('js', "const { run } = require('./run')\n\nrun()\n")}\nThat is it.\n`,
  ],
  [
    'commands after it',
    null,
    (answer) => `${answer}\nRun the tests:\n\n${fenced('bash', 'npm test\n')}`,
  ],
  [
    'thoughts before it',
    null,
    (answer) =>
      `<think>\nThe task asks for a change. Maybe like this:\n${fenced('js', 'const maybe = 1\n')}No, better otherwise.\n</think>\n\n${answer}`,
  ],
  [
    'the end of thoughts alone',
    null,
    (answer) => `The task asks for a change, so I will make it.\n</think>\n\n${answer}`,
  ],
  [
    'Windows line ends',
    'https://github.com/cline/cline/issues/9555',
    (answer, changes) =>
      changes.some(({ before, after }) => /\r/.test(`${before}${after}`))
        ? null
        : answer.replaceAll('\n', '\r\n'),
  ],
  ['said twice', null, (answer) => `${answer}\nThe changes once more:\n\n${answer}`],
  ['a closing word', null, (answer) => `${answer}\nDone.`],
]

/** Each around an answer of each shape. */
export const aroundWrappings: readonly Wrapping[] = around.flatMap(([name, seen, put]) =>
  shapes.map(
    (shape: Shape): Wrapping => ({
      ...{ name: `${shape}: ${name}`, seen },
      write: (changes) =>
        cannotSay(shape, changes) === null ? put(writeAnswer(shape, changes), changes) : null,
    }),
  ),
)
