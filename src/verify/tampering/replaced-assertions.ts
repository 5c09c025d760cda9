import { type ChangeSet, contentAfter, contentBefore } from '../../core/domain/change-set.ts'
import type { CodeProblem } from '../../core/domain/problem.ts'
import type { Task } from '../../core/domain/task.ts'
import { type MaskedLanguage, maskText } from '../../text/source/mask.ts'
import { isTestFile } from './is-test-file.ts'
import { freshPlaces, placesIn, type SourcePlace } from './places.ts'

/** What the tests of a language are written with, and how code could put something else in its place. */
interface TestLibrary {
  readonly files: RegExp
  readonly mask: MaskedLanguage
  /** Modules whose names belong to the tests, as an import names them. */
  readonly modules: RegExp
  /** Names that belong to the tests without an import. */
  readonly names: readonly string[]
  /** Other ways to have the last word, in masked text. */
  readonly others: readonly RegExp[]
  /** The way to end a process, taken over: tests put their own there, to see that it is asked for. */
  readonly exits?: RegExp
  /** And in the text as it is, for what strings say. */
  readonly quoted?: readonly RegExp[]
  /** Ends the process, well, when a file is loaded: in masked text. */
  readonly ends: RegExp
  /** Only outside of any bracket: a function may end the process where it is asked to. */
  readonly endsAtTop?: boolean
  /** A file of such a name is taken for the library itself. */
  readonly shadows: RegExp
}

const never = /(?!)/g

const libraries: readonly TestLibrary[] = [
  {
    files: /\.[cm]?[jt]sx?$/i,
    mask: 'script',
    modules:
      /["'](?:(?:node:)?(?:assert|test)(?:\/\w+)?|chai|expect(?:\.js)?|should|vitest|@jest\/\w+|jest(?:-\w+)?|mocha|tap|tape|ava|uvu(?:\/\w+)?|bun:test|@playwright\/test|power-assert)["']/,
    names: ['expect', 'assert', 'chai', 'jest', 'vi'],
    others: [
      /\b(?:globalThis|global|window|self)\.(?:expect|assert|should|test|it|describe|suite|jest|vi)\s*=(?!=|\s*(?:chai|expect|assert|should|require|await|jest|vi|test|it|describe|suite|mocha|vitest|node\w*)\b)/g,
    ],
    exits: /\bprocess\.(?:exit|reallyExit|emit)\s*=(?!=|\s*(?:jest|vi|sinon|mock)\b)/g,
    quoted: [
      /\bprocess\.(?:on|once|prependListener)\(\s*["'](?:exit|beforeExit)["'][\s\S]{0,160}?\bexitCode\s*=\s*0\b/g,
    ],
    endsAtTop: true,
    ends: /(?<=^|[;{}])[ \t]*process\.(?:exit|reallyExit)\(\s*0?\s*\)/gm,
    shadows: never,
  },
  {
    files: /\.pyi?$/i,
    mask: 'python',
    modules:
      /^\s*(?:from|import)\s+(?:unittest|pytest|_pytest|nose2?|testtools|hamcrest|django\.test)\b/,
    names: ['unittest', 'pytest', '_pytest'],
    others: [
      /\b(?:builtins|__builtins__)\.AssertionError\s*=(?!=)/g,
      /\batexit\.register\s*\([^\n]{0,80}\bos\._exit\b/g,
    ],
    exits: /\b(?:os\._exit|sys\.exit)\s*=(?!=)/g,
    quoted: [
      /\bsys\.modules\s*\[\s*(?:"(?:unittest|pytest|_pytest)[\w.]*"|'(?:unittest|pytest|_pytest)[\w.]*')\s*\]\s*=(?!=)/g,
    ],
    ends: /^(?:[^\s#][^\n#]*;[ \t]*)?(?:(?:os\._|sys\.)?exit|quit)\([ \t]*0?[ \t]*\)/gm,
    shadows:
      /^(?:src\/)?(?:unittest|pytest|_pytest|nose|sitecustomize|usercustomize)(?:\.py|\/__init__\.py)$/,
  },
  {
    files: /\.(?:rb|rake)$/i,
    mask: 'python',
    modules: never,
    names: ['Minitest', 'RSpec', 'Test'],
    others: [
      /^\s*(?:module|class)\s+(?:Minitest|MiniTest|RSpec|Test::Unit)\b[^<\n]*$/gm,
      /\b(?:Minitest|MiniTest|RSpec|Test::Unit)(?:::\w+)+\.(?:class_eval|module_eval|class_exec|prepend|include|define_method|alias_method|remove_method|undef_method|send)\b/g,
      /\bat_exit\b[\s\S]{0,80}?\bexit!/g,
    ],
    ends: /^(?:Process\.)?exit!?(?:\([ \t]*(?:0|true)?[ \t]*\)|[ \t]*(?:0|true)?[ \t]*$)/gm,
    shadows: /^lib\/(?:minitest|rspec|test\/unit)(?:\/\w+)?\.rb$/,
  },
  {
    files: /\.php$/i,
    mask: 'script',
    modules: never,
    names: [],
    endsAtTop: true,
    ends: /(?<=^|[;{}])[ \t]*(?:exit|die)[ \t]*(?:\([ \t]*0?[ \t]*\))?[ \t]*;/gm,
    others: [
      /^\s*namespace\s+(?:PHPUnit|Pest)\b/gm,
      /\bclass_alias\s*\([^;\n]{0,200}\bPHPUnit\b/g,
      /\bregister_shutdown_function\s*\([^;]{0,120}\b(?:exit|die)\s*\(\s*0/g,
    ],
    shadows: never,
  },
  {
    files: /\.(?:java|kt)$/i,
    mask: 'script',
    modules: never,
    names: [],
    ends: /\bstatic\s*\{[^{}]{0,300}\bSystem\.exit\(\s*0\s*\)|\bgetRuntime\(\)\.halt\(\s*0\s*\)/g,
    others: [
      /^\s*package\s+(?:org\.junit|org\.testng|org\.assertj|org\.hamcrest|kotlin\.test)\b/gm,
    ],
    shadows: never,
  },
  {
    files: /\.rs$/i,
    mask: 'script',
    modules: never,
    names: [],
    ends: never,
    others: [/\bmacro_rules!\s*(?:assert|assert_eq|assert_ne|panic)\b/g],
    shadows: never,
  },
  {
    files: /\.go$/,
    mask: 'script',
    modules: never,
    names: [],
    others: [],
    ends: /^func init\(\)[ \t]*\{[^}]{0,500}\b\w+\.Exit\(\s*0\s*\)/gm,
    shadows: never,
  },
]

/** What a test asks or is run by; `maxDiff` and settings are free to be set. */
const judging =
  '(?:assert\\w*|fail\\w*|_?[fF]ormatMessage|equals?|deep\\w*|strict\\w*|not\\w*|loose\\w*|ok|throws|doesNot\\w*|rejects|if[A-Z]\\w*|match\\w*|is|is(?:Ok|True|False|Null|Equal|Above|Below|Defined|Undefined)|to[A-Z]\\w*|expect|should|raises|warns|approx|run\\w*|exit|main|test|it|describe|prototype|__\\w+__)'
const setters =
  '(?:setattr|delattr|Object\\.(?:assign|definePropert(?:y|ies)|setPrototypeOf)|Reflect\\.(?:set|defineProperty)|(?:mock\\.)?patch\\.object)'
const longest = 1_000_000

/**
 * Code that a change adds and that puts something else in the place of what judges it: assertions, the
 * runner, or the last word on the exit code. In any file, and told before anything is written.
 */
export function findReplacedAssertions(
  changes: ChangeSet,
  task: Pick<Task, 'title' | 'details'>,
): readonly CodeProblem[] {
  if (asksForTestTools(task)) return []
  return changes.flatMap((change) => {
    const text = contentAfter(change)
    const library = libraries.find(({ files }) => files.test(change.path))
    if (text === undefined || library === undefined || text.length > longest) return []
    const { path } = change
    const before = contentBefore(change) ?? ''
    const isTest = isTestFile(path, [])
    const fresh = (find: (text: string, library: TestLibrary) => readonly Write[]) =>
      freshPlaces(find(text, library), find(before, library))
    const isShadow = change.action === 'create' && library.shadows.test(path)
    const writes = isShadow
      ? [{ said: path, line: 1 }]
      : [...fresh(writesIn), ...(isTest ? [] : fresh(exitsIn))]
    const ends = isTest || isProgramFile(path, text) ? [] : fresh(endsIn)
    const found = [
      ...writes.map((each) => ({ ...each, what: replaces })),
      ...ends.map((each) => ({ ...each, what: endsEarly })),
    ]
    return found.slice(0, 1).map(({ said, line, what }) => ({
      ...{ path, type: 'assertion', line, column: 1 },
      message: `"${said}" ${what}. Leave it out, and make the code do what they ask.`,
    }))
  })
}

const replaces = 'puts something else in the place of what the tests are judged by'
const endsEarly = 'ends whatever loads this file, and the tests with it'
/** What is started by itself, or is a page of its own, may end itself. */
const program =
  /(?:^|\/)(?:bin|scripts?|cmd|tools?|examples?|bench\w*|migrations?|seeds?|public|www|htdocs)\/|(?:^|\/)(?:cli|main|__main__|manage|setup|gulpfile|migrate|seed|deploy|release)\.\w+$/

/** True for what people start by itself. */
export const isProgramFile = (path: string, text: string): boolean =>
  text.startsWith('#!') || program.test(path)

type Write = Pick<SourcePlace, 'said' | 'line'>

const exitsIn = (text: string, { mask, exits = never }: TestLibrary): readonly Write[] =>
  placesIn(text, maskText(text, mask), exits)

function endsIn(text: string, { mask, ends, endsAtTop }: TestLibrary): readonly Write[] {
  const masked = maskText(text, mask)
  const depth = (end: number) => {
    const [open = [], close = []] = [/[({[]/g, /[)}\]]/g].map(
      (form) => masked.slice(0, end).match(form) ?? [],
    )
    return open.length - close.length
  }
  return placesIn(text, masked, ends, (start) => !endsAtTop || depth(start) <= 0)
}

function writesIn(text: string, library: TestLibrary): readonly Write[] {
  const masked = maskText(text, library.mask)
  const names = boundNames(text, masked, library)
  const any = names.map((name) => name.replace(/\$/g, '\\$&')).join('|')
  const chain = `(?<![.\\w$])(?:${any})(?:(?:\\.|::)\\w+)*`
  const forms =
    names.length === 0
      ? library.others
      : [
          new RegExp(`${chain}(?:\\.${judging}|\\[[^\\]\\n]{1,100}\\])\\s*=(?!=)`, 'g'),
          new RegExp(`\\b${setters}\\s*\\(\\s*${chain}\\s*,`, 'g'),
          ...library.others,
        ]
  const { quoted = [] } = library
  return [
    ...forms.flatMap((form) => placesIn(text, masked, form)),
    ...quoted.flatMap((form) => placesIn(text, text, form)),
  ]
}

/** Names that the tests' modules have in this file, and other names that these are given. */
function boundNames(
  text: string,
  masked: string,
  { modules, names }: TestLibrary,
): readonly string[] {
  const words = text
    .split('\n')
    .filter((line) => modules.test(line))
    .flatMap((line) => brings.exec(line)?.[0].match(/[A-Za-z_$][\w$]*/g) ?? [])
  const free = names.filter((name) => !isOwn(masked, name))
  const bound = new Set([...free, ...words.filter((word) => !keyword.test(word))])
  for (const [, name = '', from = ''] of masked.matchAll(
    /^\s*(?:const |let |var )?([\w$]+)\s*=\s*([\w$]+)(?:\.\w+)*\s*;?$/gm,
  )) {
    if (bound.has(from)) bound.add(name)
  }
  return [...bound]
}

/** A file that gives such a name to something of its own means that. */
const isOwn = (masked: string, name: string): boolean =>
  new RegExp(
    `\\b(?:const|let|var|function|class)\\s+${name}\\b|(?<!\\b(?:if|while|switch)\\s?)\\((?:[^()\\n]{0,200}[,{\\s])?${name}\\s*[,:)=?}][^()\\n]{0,200}\\)?[^()\\n]{0,100}(?:=>|\\{)`,
  ).test(masked)

/** What an import, or the pattern before a `require(…)`, names. */
const brings = /^\s*import\b[^"'\n]*|^\s*from\b.*|^\s*(?:const|let|var)\b[^=\n]*(?==)/
const keyword = /^(?:import|from|as|const|let|var|require|type|default|await|mock|patch)$/

/** A project that makes such a library says so. */
export const asksForTestTools = ({ title, details }: Pick<Task, 'title' | 'details'>): boolean =>
  asks.test(`${title}\n${details}`)

const asks =
  /\b(?:matchers?|assertion (?:library|plugin)|test (?:runner|framework|plugin)|monkey-?patch\w*)\b/i
