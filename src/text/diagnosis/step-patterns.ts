import type { ErrorType } from '../../core/domain/step-error.ts'

/** Words by which an error is known in one line of output. */
interface StepPattern {
  readonly type: ErrorType
  readonly words: RegExp
  /** True where the command line itself is wrong: another one may do what was meant. */
  readonly isWrongCommand?: true
}

const known = (type: ErrorType, ...words: readonly RegExp[]): readonly StepPattern[] =>
  words.map((each) => ({ type, words: each }))
const wrong = (type: ErrorType, ...words: readonly RegExp[]): readonly StepPattern[] =>
  words.map((each) => ({ type, words: each, isWrongCommand: true }))

/**
 * The surest first: what stands above explains what stands below. An installer without a network
 * says in the end that there is no such package; a refused lock says in the end that a file is missing.
 */
export const stepPatterns: readonly StepPattern[] = [
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
  ...known(
    'permission_denied',
    /\bE(?:ACCES|PERM|ROFS)\b|Permission denied|Read-only file system/i,
    /Operation not permitted|Access is denied|(?:Keine Berechtigung|Permission non accordée)/i,
    /Permiso denegado|Permissão negada|许可被拒绝|权限不够|許可がありません/,
  ),
  // A directory or a target that the command names and nobody has.
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

/** What test runners say in the end where tests failed: nothing that a test prints weighs against it. */
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
