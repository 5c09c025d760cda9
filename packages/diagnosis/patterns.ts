/**
 * Phrases in outputs that reveal what went wrong, one per row, the most certain first, for
 * `diagnose.ts`; and how to install missing programs.
 */
import type { ErrorType } from './step-error.ts'

/** How shells, and other programs that start programs, report that one (`name`) is missing. */
export const missingPrograms: readonly RegExp[] = [
  /command not found: (?<name>[\w.+-]+)/,
  /(?:^|: )(?<name>[\w.+-]+): command not found\b/,
  /^\S*sh: (?:\d+: |line \d+: )?(?<name>[\w.+-]+): (?:not found|inaccessible or not found)$/,
  /\benv: ['‘"]?(?<name>[\w.+-]+)['’"]?: No such file or directory/,
  /failed to execute (?<name>[\w.+-]+): No such file/,
  /\bspawn (?<name>[\w.+-]+) ENOENT\b/,
  /exec: "(?<name>[\w.+-]+)": executable file not found/,
  /^g?make(?:\[\d+\])?: (?<name>[\w.+-]+): No such file or directory/,
  /linker `(?<name>\w+)` not found/,
  /No module named '?(?<name>pytest)'?\s*$/,
  /No (?<name>CMAKE_C(?:XX)?_COMPILER) could be found/,
  /(?<name>JAVA_HOME) (?:is not set|environment variable is not defined)/,
  // fish, PowerShell, cmd; and shells in other languages.
  /^fish: Unknown command: (?<name>[\w.+-]+)/,
  /^(?:\S+ ?: )?The term '(?<name>[\w.+-]+)' is not recognized/,
  /^'(?<name>[\w.+-]+)' is not recognized as an internal or external command/,
  /(?:^|: )(?<name>[\w.+-]+) ?: (?:Befehl|Kommando) nicht gefunden/,
  /(?:^|: )(?<name>[\w.+-]+) ?: commande introuvable/,
  /(?:^|: )(?<name>[\w.+-]+) ?: (?:orden no encontrada|comando não encontrado|comando non trovato)/,
  /(?:^|: )(?<name>[\w.+-]+) ?: (?:команда не найдена|未找到命令|コマンドが見つかりません)/,
]

/** The target of a shim that itself exists. */
export const behindShim = /: \/\S+\/([\w.+-]+): not found$/m

/** A file of the project, which a shell calls by its path. */
export const ownFile = /(?:^|[\s:'‘])[\w.-]+\/[^\s:]*: (?:not found|No such file)/m

/** Something else that a machine lacks: the `name` in a message, if any, and how to install it. */
type Lack = readonly [message: RegExp, install: string | null]

export const lacks: readonly Lack[] = [
  [/command not found/i, null],
  // A toolchain that is too old, or missing in the version that the project requires.
  [/go\.mod requires go >= \S+ \(running go/, null],
  [/go: download go[\d.]+\S* .*toolchain not available/, null],
  [/toolchain '[^']+' is not installed|requires rustc [\d.]+ or newer/, null],
  [/(?:invalid target release|release version \d+ not supported|invalid source release)/, null],
  [/UnsupportedClassVersionError|Unsupported class file major version/, null],
  [/Detected (?:Maven|JDK) version:? .* is not in the allowed range/i, null],
  [/supported Gradle version is [\d.]+\. Current|requires at least JVM runtime version/, null],
  [/CMake \S+ or higher is required|Meson version is \S+ but project requires/, null],
  [/Current Python version \([^)]*\) is not allowed by the project/, null],
  [/incompatible with the project's Python requirement|No interpreter found for Python/, null],
  [/ERR_PNPM_UNSUPPORTED_ENGINE|(?:ERR!|error) code EBADENGINE/, null],
  [/feature `edition\d+` is required/, null],
  // Version managers that lack a version or an installation.
  [
    /\b(?:py|rb|nod|go|j|php)env: (?:version ['`‘][^'`’]+['`’] is not installed|cannot rehash)/,
    null,
  ],
  [/^error: (?:rustup could not choose a version of|no default toolchain configured)/m, null],
  [/No version is set for command \S+|No preset version installed for command|Volta error:/, null],
  [/\/(?:libexec|shims|bin)\/\S+: (?:No such file or directory|not found)$/, null],
  [/error while loading shared libraries: |: version `\w+' not found \(required by /, null],
  [/A compatible \.NET SDK was not found|NETSDK1045/, null],
  [/Your Ruby version is \S+, but your Gemfile specified/, null],
  [/your php version \([^)]*\) does not satisfy|requires? php [~^>=]/i, null],
  [/requires a different Python: |The engine "\w+" is incompatible with this module/, null],
  // Packages that were not downloaded before the tests lost the network.
  [/missing go\.sum entry for module|updates to go\.mod needed/, 'go mod tidy'],
  [/module lookup disabled by GOPROXY=off/, 'go mod download'],
  [/in offline mode and the artifact \S+ has not been downloaded/, 'mvn dependency:go-offline'],
  [/No cached version of \S+ available for offline mode/, 'gradle dependencies'],
  [/\bNU1(?:101|301)\b/, 'dotnet restore'],
  [/Could not find \S+ in (?:any of the sources|locally installed gems)/, 'bundle install'],
  [/vendor\/autoload\.php\)?: Failed to open stream/i, 'composer install'],
  [/attempting to make an HTTP request, but --(?:offline|frozen)/, 'cargo fetch'],
  // Packages that an installer cannot find, or not in the required version.
  [/(?:No matching distribution found for|satisfies the requirement) (?<name>[\w.-]+)/, null],
  [/404 +(?:The requested resource )?'(?<name>@?[\w./-]+)@[^']*' (?:is not in|could not be)/, null],
  [/(?:No matching version found for|notarget \S+) (?<name>@?[\w./-]+)@/, null],
  [/no matching package named `(?<name>[\w-]+)` found/, null],
  [/failed to select a version for (?:the requirement )?`(?<name>[\w-]+)/, null],
  [
    /^go: (?:module )?(?<name>[\w.-]+\.[\w.-]+\/[\w./~-]+?)(?:@\S+)?: (?:reading|invalid version|unrecognized import|not found|unknown revision)/,
    null,
  ],
  [/Could not find artifact (?<name>[\w.-]+:[\w.-]+):/, null],
  [/Could not resolve dependencies for project/, 'mvn dependency:go-offline'],
  [/Could not find gem '(?<name>[\w.-]+)/, null],
  [/requires (?<name>[\w.-]+\/[\w.-]+)[^,]*, (?:it could not be found|found \S+ but)/, null],
  // Services, and the machine itself.
  [/\bECONNREFUSED\b|\bEAI_AGAIN\b|\bENOTFOUND\b|Network is unreachable/, null],
  [/Temporary failure in name resolution|Could not resolve host/, null],
  [/Cannot connect to the Docker daemon/, null],
  [/\bENOSPC\b|No space left on device/, null],
  [/\bEACCES\b|Permission denied/, null],
]

interface ErrorPattern {
  readonly type: ErrorType
  readonly words: readonly RegExp[]
  /** True when the command line itself is wrong, so that another one may do what was meant. */
  readonly isWrongCommand?: true
}

const known = (type: ErrorType, ...words: readonly RegExp[]): readonly ErrorPattern[] =>
  words.map((each) => ({ type, words: [each] }))
const wrong = (type: ErrorType, ...words: readonly RegExp[]): readonly ErrorPattern[] =>
  words.map((each) => ({ type, words: [each], isWrongCommand: true }))

/**
 * Earlier rows explain later ones. An installer without a network ends by saying that a package
 * does not exist; a refused lock ends by saying that a file is missing.
 */
export const errorPatterns: readonly ErrorPattern[] = [
  ...known(
    'rate_limit',
    /\b429\b.{0,40}too many requests|\btoo ?many ?requests\b/i,
    /\b(?:secondary )?rate limit(?:ed)?\b.{0,40}(?:exceed|reach|hit)/i,
    /exceeded a secondary rate limit|quota exceeded/i,
  ),
  ...known(
    'network',
    /\b(?:ECONNREFUSED|ECONNRESET|EAI_AGAIN|ENOTFOUND|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|UND_ERR_\w+)\b/,
    /Temporary failure in name resolution|Could not resolve (?:host|proxy)|Name or service not known|Network is unreachable|No route to host/i,
    /Connection (?:refused|reset|timed out|aborted)|Failed to establish a new connection|NewConnectionError|ReadTimeoutError|socket hang up|\bfetch failed\b/i,
    /\bdial tcp\b|i\/o timeout|TLS handshake timeout|spurious network error|\bcurl: \((?:5|6|7|28|35|52|56)\)|Could not transfer artifact|unable to access 'http/i,
    /The remote end hung up|early EOF|Connection closed by remote|proxyconnect tcp/i,
  ),
  ...known(
    'git_conflict',
    /^CONFLICT \(|Automatic merge failed|fix conflicts and then/,
    /! \[(?:remote )?rejected\]|non-fast-forward|\bstale info\b/,
    /Updates were rejected|would be overwritten by (?:merge|checkout)|cannot lock ref/,
    /(?:index|HEAD|shallow|packed-refs)\.lock': File exists/,
  ),
  // A missing program explains what follows from it, but not a dead network.
  { type: 'missing_dependency', words: missingPrograms, isWrongCommand: true },
  ...known(
    'permission_denied',
    /\bE(?:ACCES|PERM|ROFS)\b|Permission denied|Read-only file system/i,
    /Operation not permitted|Access is denied|(?:Keine Berechtigung|Permission non accordée)/i,
    /Permiso denegado|Permissão negada|许可被拒绝|权限不够|許可がありません/,
  ),
  // A directory or target that the command names and that does not exist.
  ...wrong(
    'file_not_found',
    /\bcd: (?:[^:]+: )*(?:No such file or directory|can't cd to|not a directory)/i,
    /\bcan't cd to \S+/,
    /\bMissing script: |error Couldn't find a (?:package\.json|script)|ERR_PNPM_NO_SCRIPT/,
    /(?:Usage Error: )?Couldn't find a script named|error: Script not found /,
    /\*\*\* No rule to make target|make: \*\*\* No targets specified/,
    /Don't know how to build task|Task '[^']*' not found in root project/,
    /^\s*Command "[^"]*" is not defined|error: no such (?:sub)?command: /,
    /Could not read package\.json|could not find `Cargo\.toml`|go: go\.mod file not found/,
    /Unknown lifecycle phase|MSB1003|error: no (?:test|bin|example) target named/,
  ),
  ...wrong(
    'validation',
    /unrecognized arguments?:|\b[Uu]n(?:known|recognized) (?:option|flag|argument)s?\b/,
    /\b(?:invalid|illegal) option\b|flag provided but not defined|error: unexpected argument/,
  ),
  ...known(
    'missing_dependency',
    /Cannot find (?:module|package) ['"]|No module named |ModuleNotFoundError/,
    /Could not find a version that satisfies|No matching distribution found|code E404\b|code ERESOLVE\b|code ETARGET\b/,
    /no required module provides package|is not in (?:std|GOROOT)|can't find crate for|no matching package named|unresolved import/,
    /cannot load such file -- |Could not find gem |Could not resolve dependencies|Class "[^"]+" not found|package [\w.]+ does not exist/,
  ),
  ...known(
    'file_not_found',
    /\bENOENT\b|\bENOTDIR\b|No such file or directory|can't open file|[Dd]irectory nonexistent|FileNotFoundError|cannot find the (?:file|path)/,
    /Datei oder Verzeichnis nicht gefunden|Aucun fichier ou dossier|No existe el (?:archivo|fichero)/,
    /没有那个文件或目录|そのようなファイルやディレクトリはありません|Нет такого файла/,
  ),
  ...known('timeout', /\b(?:timed out|time-?out exceeded|TimeoutError|deadline exceeded)\b/i),
  ...known(
    'syntax_error',
    /\b(?:SyntaxError|IndentationError|TabError|ParseError)\b|[Ss]yntax error|Unexpected token/,
    /error TS1\d{3}:|PHP Parse error|error: expected (?:one of|expression)/,
  ),
  ...known('test_failure', /\bAssertion(?:Error)?\b.{0,40}(?:fail|Error)|AssertionError/),
]

/** Final lines of test runners about failed tests, which outweigh anything that a test prints. */
export const failedTests: readonly RegExp[] = [
  /^(?:# |ℹ )fail [1-9]/,
  /^\s*Tests?:? .{0,60}\b[1-9]\d* failed/,
  /^=+ .{0,60}\b[1-9]\d* (?:failed|errors?)\b.* in [\d.]+/,
  /^FAILED \((?:failures|errors)=\d/,
  /^\s*[1-9]\d* failing\b/,
  /^test result: FAILED/,
  /^\s*--- FAIL: /,
  /^\d+ (?:examples|tests|runs), .*\b[1-9]\d* (?:failures|errors)/,
  /^Tests run: \d+, (?:Failures: [1-9]|Failures: 0, Errors: [1-9])/,
  /^(?:Failed!|FAILURES!)/,
]

/** How to install programs, `=` before a differing package name; of system packages, Debian's. */
const ways: Readonly<Record<string, readonly string[]>> = {
  'npm install --save-dev': [
    'ava biome=@biomejs/biome c8 cypress eslint jest lerna mocha nx nyc playwright=@playwright/test',
    'prettier tap tsc=typescript tsx turbo vitest',
  ],
  'npm install --global': ['bun pnpm yarn'],
  'pip install': ['black coverage flake8 mypy nox poetry pylint pytest ruff tox uv'],
  'gem install': ['bundle=bundler bundler rake rspec rubocop'],
  'composer require --dev': ['phpunit=phpunit/phpunit'],
  'apt-get install': [
    'CMAKE_C_COMPILER=build-essential CMAKE_CXX_COMPILER=build-essential JAVA_HOME=default-jdk cargo',
    'cc=build-essential cmake composer ctest=cmake g++=build-essential gcc=build-essential go=golang',
    'gradle java=default-jdk javac=default-jdk make mvn=maven php=php-cli python3 ruby',
  ],
}

/** These come with a machine, or from the source of its other programs. */
const runtimes = ['node', 'npm', 'npx', 'deno', 'dotnet', 'swift', 'just']

const installs = new Map(
  Object.entries(ways).flatMap(([way, rows]) =>
    rows
      .flatMap((row) => row.split(' '))
      .map((each) => {
        const [name = '', known = name] = each.split('=')
        return [name, `${way} ${known}`] as const
      }),
  ),
)

/** The command that installs a program; `null` when it is unknown. */
export const installOf = (program: string): string | null => installs.get(program) ?? null

/** Returns true for well-known tools: a missing one is not misspelled, but not installed. */
export const isKnownTool = (program: string): boolean =>
  installs.has(program) || runtimes.includes(program)

/** A sentence on how to install a program, to follow the one that reports it missing. */
export function adviceFor(program: string, install = installOf(program)): string {
  return install === null
    ? ` Install ${program} on the machine that runs this.`
    : ` Install it: ${install}`
}
