import { DOWNLOADED, type FindNested, type Harm, harmsOf, type ScriptLanguage } from '../finding.ts'
import { afterOptions, type Call, callOf } from './call.ts'

/** A program that runs a text it is given: `bash -c '…'`, `psql -c '…'`, `node < script`. */
interface Interpreter {
  readonly programs: RegExp
  readonly language: ScriptLanguage
  /** The option that holds the script, or how to find it among the arguments. */
  readonly script?: string | ((call: Call) => string | null | undefined)
  /** Returns true when the script comes from standard input. */
  readonly isFed?: (call: Call) => boolean
}

const always = () => true
const isBare = ({ operands }: Call) => operands.every((operand) => operand === '-')

const interpreters: readonly Interpreter[] = [
  {
    programs: /^(?:sh|bash|zsh|dash|ksh|ash|fish)$/,
    language: 'shell',
    script: ({ words }) => wordsBehind(words, /^-[a-z]*c$/)?.find((word) => !word.startsWith('-')),
    isFed: (call) => isBare(call) || call.has('-s'),
  },
  { programs: /^eval$/, language: 'shell', script: ({ words }) => words.join(' ') },
  {
    programs: /^ssh$/,
    language: 'shell',
    script: ({ words }) => afterOptions(words, sshOptions).slice(1).join(' '),
    isFed: always,
  },
  { programs: /^(?:su|runuser|script)$/, language: 'shell', script: '-c --command' },
  { programs: /^npx$/, language: 'shell', script: '-c --call' },
  { programs: /^env$/, language: 'shell', script: '-S --split-string' },
  { programs: /^trap$/, language: 'shell', script: ({ operands }) => operands[0] },
  {
    programs: /^cmd$/,
    language: 'shell',
    script: ({ words }) => wordsBehind(words, /^\/[ck]$/i)?.join(' '),
  },
  {
    programs: /^(?:powershell|pwsh)$/,
    language: 'shell',
    script: ({ words }) => wordsBehind(words, /^-c(?:ommand)?$/i)?.join(' '),
  },
  {
    programs: /^(?:concurrently|npm-run-all|nodemon|onchange|chokidar|wait-on)$/,
    language: 'shell',
    script: (call) => [...call.operands, call.value('--exec', '-x') ?? ''].join('\n'),
  },
  {
    programs: /^(?:node|bun|deno|tsx)$/,
    language: 'javascript',
    script: '-e -p --eval --print',
    isFed: isBare,
  },
  {
    programs: /^(?:bun|deno)$/,
    language: 'javascript',
    script: ({ words: [first, second] }) => (first === 'eval' ? second : null),
  },
  { programs: /^(?:python|pypy)[\d.]*$/, language: 'python', script: '-c', isFed: isBare },
  { programs: /^ruby$/, language: 'ruby', script: '-e', isFed: isBare },
  { programs: /^perl$/, language: 'perl', script: '-e -E -ne -pe', isFed: isBare },
  { programs: /^php$/, language: 'php', script: '-r', isFed: isBare },
  { programs: /^mongo(?:sh)?$/, language: 'javascript', script: '--eval', isFed: always },
  { programs: /^psql$/, language: 'sql', script: '-c --command', isFed: always },
  {
    programs: /^(?:mysql|mariadb|cockroach|hive|beeline|spark-sql|cqlsh|isql)$/,
    language: 'sql',
    script: '-e --execute',
    isFed: always,
  },
  { programs: /^sqlcmd$/, language: 'sql', script: '-Q -q', isFed: always },
  {
    programs: /^(?:clickhouse-client|snowsql|presto|trino)$/,
    language: 'sql',
    script: '-q --query --execute',
    isFed: always,
  },
  {
    programs: /^duckdb$/,
    language: 'sql',
    script: (call) => call.value('-c') ?? call.operands[1],
    isFed: always,
  },
  {
    // Its operands are a file and statements.
    programs: /^sqlite3?$/,
    language: 'sql',
    script: ({ operands }) => operands.slice(1).join(';\n'),
    isFed: always,
  },
  { programs: /^sqlplus$/, language: 'sql', isFed: always },
  {
    programs: /^bq$/,
    language: 'sql',
    script: ({ operands: [first, ...rest] }) => (first === 'query' ? rest.join(' ') : null),
  },
  { programs: /^wrangler$/, language: 'sql', script: '--command' },
  {
    programs: /^heroku$/,
    language: 'sql',
    script: (call) => (call.operands[0] === 'pg:psql' ? call.value('-c', '--command') : null),
  },
]

const sshOptions = '-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w'.split(' ')

function wordsBehind(words: readonly string[], option: RegExp): readonly string[] | null {
  const at = words.findIndex((word) => option.test(word))
  return at < 0 ? null : words.slice(at + 1)
}

const interpretersOf = ({ program }: Call): readonly Interpreter[] =>
  interpreters.filter(({ programs }) => programs.test(program))

export function judgeScript(call: Call, look: FindNested): readonly Harm[] {
  const scripts = interpretersOf(call).flatMap(({ language, script: at }) => {
    const script = typeof at === 'string' ? call.value(...at.split(' ')) : at?.(call)
    return script == null ? [] : [{ language, script }]
  })
  const given = scripts[0]?.script ?? call.words.join(' ')
  const runs = /^(?:sh|bash|zsh|dash|ksh|ash|fish|eval|source|\.)$/.test(call.program)
  if (runs && given.includes(DOWNLOADED)) {
    return [
      {
        category: 'system',
        why: 'It runs a script straight from the network, whatever that holds.',
      },
    ]
  }
  return scripts.flatMap(({ language, script }) => harmsOf(look(language, script)))
}

/** The language that a program runs from its standard input; `null` when it runs none. */
export function fedLanguage(argv: readonly string[]): ScriptLanguage | null {
  const call = callOf(argv)
  return interpretersOf(call).find(({ isFed }) => isFed?.(call))?.language ?? null
}
