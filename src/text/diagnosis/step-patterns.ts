import type { ErrorType } from '../../core/domain/step-error.ts'

/** Words by which an error is known in one line of output. */
interface StepPattern {
  readonly type: ErrorType
  readonly words: RegExp
  /** True where the command line itself is wrong: another one may do what was meant. */
  readonly isWrongCommand?: true
}

const wrong = (type: ErrorType, words: RegExp): StepPattern => ({
  type,
  words,
  isWrongCommand: true,
})

/**
 * The surest first: what stands above explains what stands below. An installer without a network
 * says in the end that there is no such package; a refused lock says in the end that a file is missing.
 */
export const stepPatterns: readonly StepPattern[] = [
  { type: 'rate_limit', words: /\b429\b.{0,40}too many requests|\btoo ?many ?requests\b/i },
  { type: 'rate_limit', words: /\b(?:secondary )?rate limit(?:ed)?\b.{0,40}(?:exceed|reach|hit)/i },
  { type: 'rate_limit', words: /exceeded a secondary rate limit|quota exceeded/i },
  {
    type: 'network',
    words:
      /\b(?:ECONNREFUSED|ECONNRESET|EAI_AGAIN|ENOTFOUND|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|UND_ERR_\w+)\b/,
  },
  {
    type: 'network',
    words:
      /Temporary failure in name resolution|Could not resolve (?:host|proxy)|Name or service not known|Network is unreachable|No route to host/i,
  },
  {
    type: 'network',
    words:
      /Connection (?:refused|reset|timed out|aborted)|Failed to establish a new connection|NewConnectionError|ReadTimeoutError|socket hang up|\bfetch failed\b/i,
  },
  {
    type: 'network',
    words:
      /\bdial tcp\b|i\/o timeout|TLS handshake timeout|spurious network error|\bcurl: \((?:5|6|7|28|35|52|56)\)|Could not transfer artifact|unable to access 'http/i,
  },
  {
    type: 'network',
    words: /The remote end hung up|early EOF|Connection closed by remote|proxyconnect tcp/i,
  },
  { type: 'git_conflict', words: /^CONFLICT \(|Automatic merge failed|fix conflicts and then/ },
  { type: 'git_conflict', words: /! \[(?:remote )?rejected\]|non-fast-forward|\bstale info\b/ },
  {
    type: 'git_conflict',
    words: /Updates were rejected|would be overwritten by (?:merge|checkout)|cannot lock ref/,
  },
  { type: 'git_conflict', words: /(?:index|HEAD|shallow|packed-refs)\.lock': File exists/ },
  {
    type: 'permission_denied',
    words: /\bE(?:ACCES|PERM|ROFS)\b|Permission denied|Read-only file system/i,
  },
  {
    type: 'permission_denied',
    words:
      /Operation not permitted|Access is denied|(?:Keine Berechtigung|Permission non accordée)/i,
  },
  {
    type: 'permission_denied',
    words: /Permiso denegado|Permissão negada|许可被拒绝|权限不够|許可がありません/,
  },
  // A directory or a target that the command names and nobody has.
  wrong(
    'file_not_found',
    /\bcd: (?:[^:]+: )*(?:No such file or directory|can't cd to|not a directory)/i,
  ),
  wrong('file_not_found', /\bcan't cd to \S+/),
  wrong(
    'file_not_found',
    /\bMissing script: |error Couldn't find a (?:package\.json|script)|ERR_PNPM_NO_SCRIPT/,
  ),
  wrong(
    'file_not_found',
    /(?:Usage Error: )?Couldn't find a script named|error: Script not found /,
  ),
  wrong('file_not_found', /\*\*\* No rule to make target|make: \*\*\* No targets specified/),
  wrong('file_not_found', /Don't know how to build task|Task '[^']*' not found in root project/),
  wrong('file_not_found', /^\s*Command "[^"]*" is not defined|error: no such (?:sub)?command: /),
  wrong(
    'file_not_found',
    /Could not read package\.json|could not find `Cargo\.toml`|go: go\.mod file not found/,
  ),
  wrong(
    'file_not_found',
    /Unknown lifecycle phase|MSB1003|error: no (?:test|bin|example) target named/,
  ),
  wrong(
    'validation',
    /unrecognized arguments?:|\b[Uu]n(?:known|recognized) (?:option|flag|argument)s?\b/,
  ),
  wrong(
    'validation',
    /\b(?:invalid|illegal) option\b|flag provided but not defined|error: unexpected argument/,
  ),
  {
    type: 'missing_dependency',
    words: /Cannot find (?:module|package) ['"]|No module named |ModuleNotFoundError/,
  },
  {
    type: 'missing_dependency',
    words:
      /Could not find a version that satisfies|No matching distribution found|code E404\b|code ERESOLVE\b|code ETARGET\b/,
  },
  {
    type: 'missing_dependency',
    words:
      /no required module provides package|is not in (?:std|GOROOT)|can't find crate for|no matching package named|unresolved import/,
  },
  {
    type: 'missing_dependency',
    words:
      /cannot load such file -- |Could not find gem |Could not resolve dependencies|Class "[^"]+" not found|package [\w.]+ does not exist/,
  },
  {
    type: 'file_not_found',
    words:
      /\bENOENT\b|\bENOTDIR\b|No such file or directory|can't open file|[Dd]irectory nonexistent|FileNotFoundError|cannot find the (?:file|path)/,
  },
  {
    type: 'file_not_found',
    words:
      /Datei oder Verzeichnis nicht gefunden|Aucun fichier ou dossier|No existe el (?:archivo|fichero)/,
  },
  {
    type: 'file_not_found',
    words: /没有那个文件或目录|そのようなファイルやディレクトリはありません|Нет такого файла/,
  },
  {
    type: 'timeout',
    words: /\b(?:timed out|time-?out exceeded|TimeoutError|deadline exceeded)\b/i,
  },
  {
    type: 'syntax_error',
    words:
      /\b(?:SyntaxError|IndentationError|TabError|ParseError)\b|[Ss]yntax error|Unexpected token/,
  },
  {
    type: 'syntax_error',
    words: /error TS1\d{3}:|PHP Parse error|error: expected (?:one of|expression)/,
  },
  { type: 'test_failure', words: /\bAssertion(?:Error)?\b.{0,40}(?:fail|Error)|AssertionError/ },
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
