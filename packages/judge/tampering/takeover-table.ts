import type { MaskedLanguage } from '../../source/source.ts'

/** Where a form counts: in all files, in all but tests, or in all but tests and programs. */
export type FormPlaces = 'anywhere' | 'sources' | 'libraries'

const replaced = 'replaces what the tests are judged by'
const ends = 'ends or replaces the process'
const reaches = 'reaches into the test runner'
const hides = 'calls by a name assembled at run time'

/** Ways for code to answer for the tests. A problem is refused; a person checks the others. */
export const takeoverKinds = {
  replaces: { where: 'anywhere', isProblem: true, what: replaced },
  // Tests install their own, to check that it is called.
  takesExit: { where: 'sources', isProblem: true, what: replaced },
  endsOnLoad: {
    ...{ where: 'libraries', isProblem: true },
    what: 'ends any process that loads this file, including the tests',
  },
  // Command lines of running processes, and options that request a report.
  opensReport: { where: 'anywhere', isProblem: false, what: "looks for the tests' report" },
  endsTests: { where: 'anywhere', isProblem: false, what: ends },
  endsProcess: { where: 'sources', isProblem: false, what: ends },
  endsLoader: { where: 'libraries', isProblem: false, what: ends },
  hooksRunner: { where: 'anywhere', isProblem: false, what: reaches },
  reachesRunner: { where: 'sources', isProblem: false, what: reaches },
  hidesName: { where: 'sources', isProblem: false, what: hides },
  hidesGlobal: { where: 'libraries', isProblem: false, what: hides },
  replacesBuiltin: {
    ...{ where: 'sources', isProblem: false },
    what: 'replaces a built-in that every program uses',
  },
  asksIfTested: {
    ...{ where: 'sources', isProblem: false },
    what: 'may do something else where it is tested',
  },
  equalsAll: { where: 'sources', isProblem: false, what: 'compares equal to everything' },
} as const satisfies Record<string, { where: FormPlaces; isProblem: boolean; what: string }>

export type TakeoverKind = keyof typeof takeoverKinds

/** Searches text with comments and the insides of strings blanked; `quoted`: the original text. */
export type Form = RegExp | { readonly quoted: RegExp }

/** The test tools of a language, and the ways its code could override the tests' result. */
export interface TakeoverForms {
  readonly files: RegExp
  readonly mask: MaskedLanguage
  /** Matches imports of modules whose names belong to the tests. */
  readonly modules?: RegExp
  /** Names that belong to the tests without an import. */
  readonly names?: readonly string[]
  /** A file with such a name would be loaded in place of the library. */
  readonly shadows?: RegExp
  /** Counts `endsOnLoad` only outside brackets: a function may end the process when called. */
  readonly endsAtTop?: true
  readonly forms: Partial<Record<TakeoverKind, readonly Form[]>>
}

const opensReport: readonly Form[] = [
  {
    quoted:
      /["'`][^"'`\n]{0,200}(?:\/proc\/|executor-results|test-reporter|junit-?xml|surefire-reports|outputFile)/g,
  },
]

export const takeoverForms: readonly TakeoverForms[] = [
  {
    files: /\.[cm]?[jt]sx?$/i,
    mask: 'script',
    modules:
      /["'](?:(?:node:)?(?:assert|test)(?:\/\w+)?|chai|expect(?:\.js)?|should|vitest|@jest\/\w+|jest(?:-\w+)?|mocha|tap|tape|ava|uvu(?:\/\w+)?|bun:test|@playwright\/test|power-assert)["']/,
    names: ['expect', 'assert', 'chai', 'jest', 'vi'],
    endsAtTop: true,
    forms: {
      replaces: [
        /\b(?:globalThis|global|window|self)\.(?:expect|assert|should|test|it|describe|suite|jest|vi)\s*=(?!=|\s*(?:chai|expect|assert|should|require|await|jest|vi|test|it|describe|suite|mocha|vitest|node\w*)\b)/g,
        {
          quoted:
            /\bprocess\.(?:on|once|prependListener)\(\s*["'](?:exit|beforeExit)["'][\s\S]{0,160}?\bexitCode\s*=\s*0\b/g,
        },
      ],
      takesExit: [/\bprocess\.(?:exit|reallyExit|emit)\s*=(?!=|\s*(?:jest|vi|sinon|mock)\b)/g],
      endsOnLoad: [/(?<=^|[;{}])[ \t]*process\.(?:exit|reallyExit)\(\s*0?\s*\)/gm],
      opensReport,
      endsLoader: [
        // A reference is enough: it can be called under another name.
        /\bprocess\s*\??\.\s*(?:(?:exit|reallyExit)\b(?!\s*(?:\?\.)?\(\s*[1-9])(?:\s*(?:\?\.)?\()?|(?:kill|abort)\b(?:\s*\()?|exitCode\s*=(?!=|\s*[1-9]))/g,
        /(?<=[\w$][ \t]{0,3})=\s*(?:globalThis\.)?process\s*(?:[;,)]|$)/gm,
        /\{[^{}\n]{0,200}\b(?:exit|reallyExit|kill|abort)\b[^{}\n]{0,200}\}\s*=\s*(?:globalThis\.)?process\b/g,
        /\bprocess\s*(?:\?\.)?\[/g,
        {
          quoted:
            /\{[^{}\n]{0,200}\b(?:exit|reallyExit|kill|abort)\b[^{}\n]{0,200}\}\s*(?:from|=\s*(?:await\s+import|require)\s*\()\s*["'](?:node:)?process["']/g,
        },
      ],
      reachesRunner: [
        /\bprocess\.(?:ppid|binding|_\w+|execArgv)\b|\b__(?:vitest|jest|mocha)_\w+|\b(?:process\.send|parentPort)\b|\brequire\.cache\b|\bModule\._\w+|\bsyncBuiltinESMExports\b|\bregisterHooks\b|\b(?:executionAsync(?:Id|Resource)|triggerAsyncId)\b|\basync_hooks\.createHook\b|\bError\.prepareStackTrace\b/g,
        {
          quoted:
            /["'`](?:node:test(?:\/\w+)?|(?:vitest|jest|jest-\w+|mocha|ava|tinypool|@vitest\/[\w-]+|@jest\/[\w-]+)(?:\/[\w/.-]+)?|\$\$jest-[\w-]+|__vitest_\w+)["'`]/g,
        },
        {
          quoted:
            /(?:\bfrom\s*|\b(?:import|require)\s*\(\s*)["'`](?:chai|expect)["'`]|\bcreateHook\b[^\n]{0,200}["'`](?:node:)?async_hooks["'`]/g,
        },
      ],
      asksIfTested: [
        {
          quoted:
            /["'`]?\b(?:NODE_TEST_CONTEXT|VITEST(?:_\w+)?|JEST_WORKER_ID|MOCHA_\w+)\b|\b(?:NODE_ENV|MODE)\b[^\n]{0,20}["'`]test["'`]|\bimport\.meta\.vitest\b|(?:\.stack|\bargv)\b[^\n]{0,60}["'`/]\.?(?:test|spec)s?\b/g,
        },
        {
          quoted:
            /["'`][\w@/.:-]*\b(?:vitest|jest|mocha|test_runner)\b[\w/.-]*["'`]|\/[^/\n]{0,40}\b(?:vitest|jest|mocha)\b[^/\n]{0,40}\/\w*\.test\(|["'`][^"'`\s*]*\w[._](?:test|spec)\.[cm]?[jt]sx?["'`]|\bargv\b[^\n]{0,60}["'`]--test|\b(?:parent|Bun\.main|mainModule)\b[^\n]{0,60}["'`/][._]?(?:test|spec)s?\b|\benv\s*\[[^\]\n]{0,80}["'`]\s*\+\s*["'`]/g,
        },
        {
          quoted:
            /["'`]?\bNODE_V8_COVERAGE\b|\bnpm_lifecycle_event\b[^\n]{0,20}["'`]test|\bimport\.meta\.jest\b|\btypeof\s+(?:(?:globalThis|global)\.(?:it|test)|(?:(?:globalThis|global)\.)?(?:describe|beforeEach|expect|jest|vi|suite))\b|["'`](?:describe|beforeEach|expect|jest)["'`]\s+in\s+global/g,
        },
        /\bprocess\.connected\b|\.test\([^\n]{0,20}(?:\bargv\s*\[\s*1\b|\.stack\b)/g,
      ],
      hidesGlobal: [/\b(?:globalThis|global|window|self)\s*(?:\?\.)?\[[^\]\n]{0,100}(?:\+|\$\{)/g],
      hidesName: [
        /\b(?:require|load|import)\s*\(\s*["'`]\s*["'`]\s*\+|\b(?:require|import)\s*\([^()\n]{0,100}["'`]\s*\+\s*["'`]/g,
      ],
      replacesBuiltin: [
        /\b(?:Object|Error|Promise|Function|Symbol|JSON|Reflect|Array|Map|Set|String|Number|RegExp|Date|fs|fsPromises)\.(?!stackTraceLimit\b)(?:prototype\.)?\w+\s*=(?!=|>)|\bprocess\.(?:stdout|stderr)\.\w+\s*=(?!=)|\b(?:defineProperty|assign)\(\s*(?:globalThis|global|(?:Object|Error|Promise|Function)(?:\.prototype)?)\s*,/g,
      ],
    },
  },
  {
    files: /\.pyi?$/i,
    mask: 'python',
    modules:
      /^\s*(?:from|import)\s+(?:unittest|pytest|_pytest|nose2?|testtools|hamcrest|django\.test)\b/,
    names: ['unittest', 'pytest', '_pytest'],
    shadows:
      /^(?:src\/)?(?:unittest|pytest|_pytest|nose|sitecustomize|usercustomize)(?:\.py|\/__init__\.py)$/,
    forms: {
      replaces: [
        /\b(?:builtins|__builtins__)\.AssertionError\s*=(?!=)/g,
        /\batexit\.register\s*\([^\n]{0,80}\bos\._exit\b/g,
        {
          quoted:
            /\bsys\.modules\s*\[\s*(?:"(?:unittest|pytest|_pytest)[\w.]*"|'(?:unittest|pytest|_pytest)[\w.]*')\s*\]\s*=(?!=)/g,
        },
      ],
      takesExit: [/\b(?:os\._exit|sys\.exit)\s*=(?!=)/g],
      endsOnLoad: [/^(?:[^\s#][^\n#]*;[ \t]*)?(?:(?:os\._|sys\.)?exit|quit)\([ \t]*0?[ \t]*\)/gm],
      opensReport,
      endsProcess: [
        /\bos\.(?:_exit|abort|kill|killpg|getppid|exec[lv]\w*|posix_spawn\w*)\b|\bsignal\.(?:raise_signal|pthread_kill)\b|\b_thread\.interrupt_main\b/g,
        /\bfrom\s+(?:os|posix|signal)\s+import\b[^\n]*\b(?:_exit|abort|kill|killpg|raise_signal|exec[lv]\w*|posix_spawn\w*)\b/g,
        { quoted: /["'](?:_exit|_ex|exec[lv]\w*)["']/g },
      ],
      reachesRunner: [
        /\bgc\.get_\w+|\bsys\.(?:modules\.(?:values|items|copy)|settrace|setprofile|meta_path|path_hooks|orig_argv|_current_frames|_getframe\w*|addaudithook)\b|\blist\(\s*sys\.modules\b|^\s*(?:import|from)\s+(?:unittest|pytest|_pytest|pluggy|ctypes)\b|\bimport __main__\b|\binspect\.(?:stack|currentframe|get(?:outer|inner)frames|trace)\b|\bfrom\s+(?:inspect|sys)\s+import\b[^\n]*\b(?:stack|currentframe|_getframe|getouterframes)\b|\bf_back\b|\btb_frame\b|\bextract_stack\b/gm,
        { quoted: /["']__main__["']\s*\]/g },
      ],
      asksIfTested: [
        {
          quoted:
            /["']?\bPYTEST_\w+|\bsys\.modules\b[^\n]{0,60}["'](?:unittest|pytest|_pytest|__main__)["']|["'](?:unittest|pytest|_pytest)["'][^\n]{0,40}\bsys\.modules\b|\bsys\.argv\b[^\n]{0,60}["']test|["']test\w*["'][^\n]{0,60}\bsys\.argv\b/g,
        },
        {
          quoted:
            /["'](?:_?pytest|py\.test|unittest)["'](?![^\n]{0,40}\bsys\.modules\b)|["'](?:[\w./-]*\/)?(?:test_\w+|\w+_test)\.py["']|\bsys\.argv\b[^\n]{0,60}["'][^"'\n]{0,20}test|["'][^"'\n]{0,20}test["'][^\n]{0,60}\bsys\.argv\b|["']?\b(?:COVERAGE_RUN|TOX_\w+|_called_from_test)\b/g,
        },
        /\b(?:format|print|walk)_stack\b|\bsys\.get(?:trace|profile)\b/g,
      ],
      hooksRunner: [
        /^\s*def pytest_(?:runtest_\w+|collection\w*|pyfunc_call|session\w+|report_\w+|exception_interact|unconfigure|cmdline_\w+|itemcollected|deselected|assertrepr\w*|make\w+|pycollect\w*|terminal_summary|fixture_\w+)\b|\bdef load_tests\b|^\s*(?:load_tests|pytest_\w+)\s*=(?!=)|\bexitstatus\s*=(?!=)|\bautouse\s*=\s*True\b|^\s*__test__\s*=|\bsys\.modules\s*\[[^\]\n]{1,100}\]\s*=(?!=)/gm,
      ],
      hidesName: [
        /\b(?:__import__|import_module)\s*\([^()\n]{0,100}["']\s*\+|\b(?:get|set|del)attr\s*\(\s*(?:os|sys|signal|builtins|unittest|pytest|__import__|importlib)\b|\b(?:get|set|del)attr\s*\([^()\n]{0,100}["']\s*\+\s*["']/g,
      ],
      replacesBuiltin: [/\b(?:builtins|__builtins__)\.\w+\s*=(?!=)|\bsys\.excepthook\s*=(?!=)/g],
      equalsAll: [
        /\bdef __eq__\s*\([^)]*\)[^:\n]*:\s*(?:["']{3}[^"']*["']{3}\s*)?return\s+True\b|\b__eq__\s*=\s*lambda\b[^:\n]*:\s*True\b/g,
      ],
    },
  },
  {
    files: /\.(?:rb|rake)$/i,
    mask: 'python',
    names: ['Minitest', 'RSpec', 'Test'],
    shadows: /^lib\/(?:minitest|rspec|test\/unit)(?:\/\w+)?\.rb$/,
    forms: {
      replaces: [
        /^\s*(?:module|class)\s+(?:Minitest|MiniTest|RSpec|Test::Unit)\b[^<\n]*$/gm,
        /\b(?:Minitest|MiniTest|RSpec|Test::Unit)(?:::\w+)+\.(?:class_eval|module_eval|class_exec|prepend|include|define_method|alias_method|remove_method|undef_method|send)\b/g,
        /\bat_exit\b[\s\S]{0,80}?\bexit!/g,
      ],
      endsOnLoad: [
        /^(?:Process\.)?exit!?(?:\([ \t]*(?:0|true)?[ \t]*\)|[ \t]*(?:0|true)?[ \t]*$)/gm,
      ],
      opensReport,
      endsLoader: [
        /\bexit!|\b(?:Process|Kernel)\.(?:exit!?|kill|exec|abort)(?!\w)|^\s*exit\b(?!\s*\(?\s*(?:[1-9]|false))|^\s*exec\b/gm,
      ],
      reachesRunner: [
        /\b(?:Minitest|MiniTest|RSpec|ObjectSpace|TracePoint)\b|\bTest::Unit\b|\bat_exit\b/g,
      ],
      asksIfTested: [
        {
          quoted:
            /\bcaller(?:_locations)?\b[^\n]{0,60}(?:test|spec)|\$(?:0|PROGRAM_NAME|LOADED_FEATURES)[^\n]{0,60}(?:test|spec)|["':](?:RSpec|Minitest)\b|["']?\b(?:RAILS|RACK|HANAMI|APP)_ENV\b[^\n]{0,20}["']test|\bRails\.env\.test\?/g,
        },
      ],
      hidesName: [
        /\b(?:send|public_send|__send__|const_get|method|public_method|instance_method|define_method|alias_method|eval|require)[ (]\s*["'][^\n]{0,100}["']\s*(?:\+|<<)|\b(?:send|public_send|__send__|const_get)[ (]\s*"[^"\n]*#\{/g,
      ],
    },
  },
  {
    files: /\.php$/i,
    mask: 'script',
    endsAtTop: true,
    forms: {
      replaces: [
        /^\s*namespace\s+(?:PHPUnit|Pest)\b/gm,
        /\bclass_alias\s*\([^;\n]{0,200}\bPHPUnit\b/g,
        /\bregister_shutdown_function\s*\([^;]{0,120}\b(?:exit|die)\s*\(\s*0/g,
      ],
      endsOnLoad: [/(?<=^|[;{}])[ \t]*(?:exit|die)[ \t]*(?:\([ \t]*0?[ \t]*\))?[ \t]*;/gm],
      opensReport,
      endsLoader: [/\b(?:exit|die)\b\s*(?:;|\(\s*(?:0\s*)?\))|\b(?:posix_kill|pcntl_exec)\s*\(/g],
      asksIfTested: [
        {
          quoted:
            /["'][^"'\s]*phpunit[^"'\s]*["']|["']?\bAPP_ENV\b[^\n]{0,20}["']test|\brunningUnitTests\b|\bdebug_(?:print_)?backtrace\b|\bnew\s+\\?\w*(?:Exception|Error)(?:\(\))?\)?\s*->\s*getTrace/gi,
        },
      ],
      reachesRunner: [/\bPHPUnit\b|\bregister_shutdown_function\s*\(|\buopz_\w+|\brunkit\w+/g],
    },
  },
  {
    files: /\.(?:java|kt|kts|scala|groovy)$/i,
    mask: 'script',
    forms: {
      replaces: [
        /^\s*package\s+(?:org\.junit|org\.testng|org\.assertj|org\.hamcrest|kotlin\.test)\b/gm,
      ],
      endsOnLoad: [
        /\bstatic\s*\{[^{}]{0,300}\bSystem\.exit\(\s*0\s*\)|\bgetRuntime\(\)\.halt\(\s*0\s*\)/g,
      ],
      opensReport,
      asksIfTested: [
        {
          quoted:
            /"[^"\s]*\b(?:junit|testng|surefire)\b[^"\s]*"|"[^"\s]*Tests?\.(?:class|java|kt)"|\bgetProperty\s*\(\s*"(?:basedir|sun\.java\.command|java\.class\.path)"/g,
        },
        /\bStackWalker\b|\b(?:currentThread\s*\(\s*\)|new\s+(?:Throwable|\w*Exception|\w*Error)\s*\(\s*\))\s*\.\s*getStackTrace\b|\bgetInputArguments\b|\bdesiredAssertionStatus\b|\bassert\s+\w+\s*=(?!=)/g,
      ],
      endsLoader: [
        /\b(?:System\.exit|exitProcess)\s*\(\s*(?![1-9])|\.halt\s*\(|\bProcessHandle\b|\baddShutdownHook\b/g,
      ],
      reachesRunner: [
        /\borg\.(?:junit|testng|assertj|hamcrest|opentest4j)\b|\bsun\.misc\.Unsafe\b|\bInstrumentation\b/g,
      ],
    },
  },
  {
    files: /\.rs$/i,
    mask: 'script',
    forms: {
      replaces: [/\bmacro_rules!\s*(?:assert|assert_eq|assert_ne|panic)\b/g],
      opensReport,
      endsLoader: [
        /\bprocess::(?:exit\b(?!\s*\(\s*[1-9])(?:\s*\()?|abort\b)|\bprocess::\{[^{}\n]{0,200}\b(?:exit|abort)\b|\bprocess\s+as\b|\bprocess::\*|\blibc::(?:_?exit|kill)\b|\bpanic::(?:set|take)_hook\b/g,
        // One thing for the tests and another for the rest: `#[cfg(test)]` alone only adds.
        /\bcfg!\s*\([^)\n]*\btest\b|(?<!#!\[)\bcfg(?:_attr)?\s*\([^\]]{0,80}\bnot\s*\(\s*(?:(?:any|all)\s*\(\s*)*test\b|(?<!#!\[)\bcfg_attr\s*\(\s*(?:(?:any|all)\s*\(\s*)*test\b|\bif\s*#\[\s*cfg\s*\([^\]]{0,80}\btest\b|\bcfg(?:_attr)?!?\s*\([^)\]]{0,80}\bdoctest\b/g,
        { quoted: /"(?:RUST_TEST_\w+|NEXTEST\w*|CARGO_TARGET_TMPDIR)"/g },
      ],
      asksIfTested: [
        /\bcfg!?\s*\([^)\n]*\b(?:debug_assertions|overflow_checks)\b|\bcurrent_exe\b|\bthread::current\b(?!\s*\(\s*\)\s*\.(?:id|unpark)\b)|\bBacktrace::(?:force_)?capture\b/g,
        {
          quoted:
            /\bvar(?:_os)?\s*\(\s*"CARGO_\w+"|"cargo::?rustc-cfg|\boption_env!\s*\(\s*"CARGO_(?!PKG_)\w+"|\bargs(?:_os)?\s*\(\s*\)[^\n]{0,80}"[^"\n]*\b(?:deps|test)\b|\bfeature\s*=\s*"test(?:ing)?"/g,
        },
      ],
    },
  },
  {
    files: /\.go$/,
    mask: 'script',
    forms: {
      endsOnLoad: [/^func init\(\)[ \t]*\{[^}]{0,500}\b\w+\.Exit\(\s*0\s*\)/gm],
      opensReport,
      endsTests: [
        /\bos\.Exit\b(?:\s*\(\s*0\s*\)|(?!\s*\())|\b(?:syscall|unix)\.(?:Exit|Kill|Exec|\w*Syscall\w*)\b|\bruntime\.(?:Goexit|Callers?|FuncForPC|CallersFrames)\b|go:linkname|^func TestMain\b/gm,
      ],
      endsLoader: [/\b\w*os\.Exit\s*\(\s*(?![1-9])/g],
      asksIfTested: [
        {
          quoted:
            /"-{0,2}test\.\w*"|["`]\.test["`]|\bArgs\[0\][^\n]{0,20}["`]\.test|\b(?:Stat|Lstat|Glob|Open|ReadFile)\([^\n]{0,60}_test\.go/g,
        },
        /\bdebug\.(?:Stack|PrintStack)\b|\bruntime\.Stack\b|\bos\.Executable\b/g,
      ],
      reachesRunner: [{ quoted: /"testing(?:\/internal\/\w+)?"/g }, /\btesting\.Testing\s*\(/g],
    },
  },
]
