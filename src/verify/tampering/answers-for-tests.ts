import { type ChangeSet, contentAfter, contentBefore } from '../../core/domain/change-set.ts'
import type { Task } from '../../core/domain/task.ts'
import { type MaskedLanguage, maskText } from '../../text/source/mask.ts'
import { isTestFile } from './is-test-file.ts'
import { freshPlaces, placesIn } from './places.ts'
import { asksForTestTools, isProgramFile } from './replaced-assertions.ts'

/** Where a form is looked for: in all files, in none of tests, or in what is neither a test nor a program. */
type Where = 'anywhere' | 'sources' | 'libraries'

interface Form {
  readonly what: string
  readonly where: Where
  /** In text of which comments and the insides of strings are blanked. */
  readonly masked?: RegExp
  /** In the text as it is, from the quote on that opens a string. */
  readonly quoted?: RegExp
}

interface Language {
  readonly files: RegExp
  readonly mask: MaskedLanguage
  readonly forms: readonly Form[]
}

const endsProcess = 'ends or replaces the process'
const reachesRunner = 'reaches into what runs the tests'
const opensReport = "looks for the tests' report"
const hidesName = 'calls by a name that is put together'
const replacesBuiltin = 'replaces what every program uses'

/** Command lines of running processes, and how runners are asked for a report. */
const reportNames: Form = {
  ...{ what: opensReport, where: 'anywhere' },
  quoted:
    /["'`][^"'`\n]{0,200}(?:\/proc\/|executor-results|test-reporter|junit-?xml|surefire-reports|outputFile)/g,
}

/** Code that may be what it looks like, and may as well answer for the tests: a person has to look. */
const languages: readonly Language[] = [
  {
    files: /\.[cm]?[jt]sx?$/i,
    mask: 'script',
    forms: [
      reportNames,
      {
        ...{ what: endsProcess, where: 'libraries' },
        masked:
          /\bprocess\s*\??\.\s*(?:(?:exit|reallyExit)\s*(?:\?\.)?\(\s*(?![1-9])|(?:kill|abort)\s*\(|exitCode\s*=(?!=|\s*[1-9]))/g,
      },
      {
        ...{ what: endsProcess, where: 'libraries' },
        masked:
          /\{[^{}\n]{0,200}\b(?:exit|reallyExit|kill|abort)\b[^{}\n]{0,200}\}\s*=\s*(?:globalThis\.)?process\b/g,
      },
      {
        ...{ what: endsProcess, where: 'libraries' },
        masked: /\bprocess\s*(?:\?\.)?\[/g,
      },
      {
        ...{ what: reachesRunner, where: 'sources' },
        masked:
          /\bprocess\.(?:ppid|binding|_\w+|execArgv)\b|\b__(?:vitest|jest|mocha)_\w+|\b(?:process\.send|parentPort)\b|\brequire\.cache\b|\bModule\._\w+|\bsyncBuiltinESMExports\b|\bregisterHooks\b/g,
      },
      {
        ...{ what: reachesRunner, where: 'sources' },
        quoted:
          /["'`](?:node:test(?:\/\w+)?|(?:vitest|jest|jest-\w+|mocha|ava|tinypool|@vitest\/[\w-]+|@jest\/[\w-]+)(?:\/[\w/.-]+)?|\$\$jest-[\w-]+|__vitest_\w+)["'`]/g,
      },
      {
        ...{ what: hidesName, where: 'libraries' },
        masked: /\b(?:globalThis|global|window|self)\s*(?:\?\.)?\[[^\]\n]{0,100}(?:\+|\$\{)/g,
      },
      {
        ...{ what: hidesName, where: 'sources' },
        masked:
          /\b(?:require|load|import)\s*\(\s*["'`]\s*["'`]\s*\+|\b(?:require|import)\s*\([^()\n]{0,100}["'`]\s*\+\s*["'`]/g,
      },
      {
        ...{ what: replacesBuiltin, where: 'sources' },
        masked:
          /\b(?:Object|Error|Promise|Function|Symbol|JSON|Reflect|Array|Map|Set|String|Number|RegExp|Date|fs|fsPromises)\.(?!stackTraceLimit\b)(?:prototype\.)?\w+\s*=(?!=|>)|\bprocess\.(?:stdout|stderr)\.\w+\s*=(?!=)|\b(?:defineProperty|assign)\(\s*(?:globalThis|global|(?:Object|Error|Promise|Function)(?:\.prototype)?)\s*,/g,
      },
    ],
  },
  {
    files: /\.pyi?$/i,
    mask: 'python',
    forms: [
      reportNames,
      {
        ...{ what: endsProcess, where: 'sources' },
        masked:
          /\bos\.(?:_exit|abort|kill|killpg|getppid|exec[lv]\w*|posix_spawn\w*)\b|\bsignal\.(?:raise_signal|pthread_kill)\b|\b_thread\.interrupt_main\b/g,
      },
      { what: endsProcess, where: 'sources', quoted: /["'](?:_exit|_ex|exec[lv]\w*)["']/g },
      {
        ...{ what: reachesRunner, where: 'sources' },
        masked:
          /\bgc\.get_\w+|\bsys\.(?:modules\.(?:values|items|copy)|settrace|setprofile|meta_path|path_hooks|orig_argv|_current_frames|addaudithook)\b|\blist\(\s*sys\.modules\b|^\s*(?:import|from)\s+(?:unittest|pytest|_pytest|pluggy|ctypes)\b(?!\.mock| import mock)|\bimport __main__\b/gm,
      },
      { what: reachesRunner, where: 'sources', quoted: /["']__main__["']\s*\]/g },
      {
        ...{ what: reachesRunner, where: 'anywhere' },
        masked:
          /^\s*def pytest_(?:runtest_(?!setup)\w+|collection\w*|pyfunc_call|session\w+|report_\w+|exception_interact|unconfigure|cmdline_\w+|itemcollected|deselected|assertrepr\w*|make\w+|pycollect\w*|terminal_summary|fixture_\w+)\b|\bdef load_tests\b|\bexitstatus\s*=(?!=)/gm,
      },
      {
        ...{ what: hidesName, where: 'sources' },
        masked:
          /\b(?:__import__|import_module)\s*\([^()\n]{0,100}["']\s*\+|\b(?:get|set|del)attr\s*\(\s*(?:os|sys|signal|builtins|unittest|pytest|__import__|importlib)\b|\b(?:get|set|del)attr\s*\([^()\n]{0,100}["']\s*\+\s*["']/g,
      },
      {
        ...{ what: replacesBuiltin, where: 'sources' },
        masked: /\b(?:builtins|__builtins__)\.\w+\s*=(?!=)|\bsys\.excepthook\s*=(?!=)/g,
      },
      {
        ...{ what: 'is equal to everything', where: 'sources' },
        masked:
          /\bdef __eq__\s*\([^)]*\)[^:\n]*:\s*(?:["']{3}[^"']*["']{3}\s*)?return\s+True\b|\b__eq__\s*=\s*lambda\b[^:\n]*:\s*True\b/g,
      },
    ],
  },
  {
    files: /\.(?:rb|rake)$/i,
    mask: 'python',
    forms: [
      reportNames,
      {
        ...{ what: endsProcess, where: 'libraries' },
        masked:
          /\bexit!|\b(?:Process|Kernel)\.(?:exit!?|kill|exec|abort)(?!\w)|^\s*exit\b(?!\s*\(?\s*(?:[1-9]|false))|^\s*exec\b/gm,
      },
      {
        ...{ what: reachesRunner, where: 'sources' },
        masked:
          /\b(?:Minitest|MiniTest|RSpec|ObjectSpace|TracePoint)\b|\bTest::Unit\b|\bat_exit\b/g,
      },
      {
        ...{ what: hidesName, where: 'sources' },
        masked:
          /\b(?:send|public_send|__send__|const_get|method|public_method|instance_method|define_method|alias_method|eval|require)[ (]\s*["'][^\n]{0,100}["']\s*(?:\+|<<)|\b(?:send|public_send|__send__|const_get)[ (]\s*"[^"\n]*#\{/g,
      },
    ],
  },
  {
    files: /\.php$/i,
    mask: 'script',
    forms: [
      reportNames,
      {
        ...{ what: endsProcess, where: 'libraries' },
        masked: /\b(?:exit|die)\b\s*(?:;|\(\s*(?:0\s*)?\))|\b(?:posix_kill|pcntl_exec)\s*\(/g,
      },
      {
        ...{ what: reachesRunner, where: 'sources' },
        masked: /\bPHPUnit\b|\bregister_shutdown_function\s*\(|\buopz_\w+|\brunkit\w+/g,
      },
    ],
  },
  {
    files: /\.(?:java|kt|kts|scala|groovy)$/i,
    mask: 'script',
    forms: [
      reportNames,
      {
        ...{ what: endsProcess, where: 'libraries' },
        masked:
          /\b(?:System\.exit|exitProcess)\s*\(\s*(?![1-9])|\.halt\s*\(|\bProcessHandle\b|\baddShutdownHook\b/g,
      },
      {
        ...{ what: reachesRunner, where: 'sources' },
        masked:
          /\borg\.(?:junit|testng|assertj|hamcrest|opentest4j)\b|\bsun\.misc\.Unsafe\b|\bInstrumentation\b/g,
      },
    ],
  },
  {
    files: /\.rs$/i,
    mask: 'script',
    forms: [
      reportNames,
      {
        ...{ what: endsProcess, where: 'libraries' },
        masked:
          /\bprocess::(?:exit\s*\(\s*(?![1-9])|abort)|\blibc::(?:_?exit|kill)\b|\bpanic::set_hook\b/g,
      },
    ],
  },
  {
    files: /\.go$/,
    mask: 'script',
    forms: [
      reportNames,
      {
        ...{ what: endsProcess, where: 'anywhere' },
        masked:
          /\bos\.Exit\s*\(\s*0\s*\)|\bsyscall\.(?:Exit|Kill|Exec|\w*Syscall\w*)\s*\(|\bruntime\.Goexit\b|go:linkname/g,
      },
      {
        ...{ what: endsProcess, where: 'libraries' },
        masked: /\b\w*os\.Exit\s*\(\s*(?![1-9])/g,
      },
      { what: reachesRunner, where: 'sources', quoted: /"testing(?:\/internal\/\w+)?"/g },
    ],
  },
]

const longest = 1_000_000
const mostSaid = 100

/**
 * What code of a change does that may be meant to answer for the tests, and that honest code does too: it ends
 * the process, reaches into the runner, looks for the report, or replaces what both use. Each as
 * `"process.exit(" ends or replaces the process (src/a.js:3)`; nothing that the file held before, and nothing
 * where the task asks for such a thing.
 */
export function findAnswersForTests(
  changes: ChangeSet,
  task: Pick<Task, 'title' | 'details'>,
): readonly string[] {
  if (asksForTestTools(task)) return []
  return changes.flatMap((change) => {
    const text = contentAfter(change)
    const language = languages.find(({ files }) => files.test(change.path))
    if (text === undefined || language === undefined || text.length > longest) return []
    const { path } = change
    const isTest = isTestFile(path, [])
    const isProgram = isProgramFile(path, text)
    const forms = language.forms.filter(
      ({ where }) => where === 'anywhere' || (!isTest && (where === 'sources' || !isProgram)),
    )
    const found = (of: string) => formsIn(of, language.mask, forms)
    return freshPlaces(found(text), found(contentBefore(change) ?? ''))
      .slice(0, mostSaid)
      .map(({ said, what, line }) => `"${said}" ${what} (${path}:${line})`)
  })
}

function formsIn(text: string, mask: MaskedLanguage, forms: readonly Form[]) {
  const masked = maskText(text, mask)
  const places = forms.flatMap(({ what, masked: inMasked, quoted }) =>
    [
      ...(inMasked === undefined ? [] : placesIn(text, masked, inMasked)),
      // Not what a comment quotes.
      ...(quoted === undefined
        ? []
        : placesIn(text, text, quoted, (start) => masked[start] === text[start])),
    ].map((place) => ({ ...place, what })),
  )
  return [...new Map(places.toReversed().map((place) => [place.said, place])).values()].reverse()
}
