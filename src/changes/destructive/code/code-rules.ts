import type { FindNested, Harm } from '../finding.ts'
import { harm, harmless, isPlainFile } from '../shell/call.ts'
import { judgeArguments } from '../shell/find-in-shell.ts'
import type { CodeLanguageName } from './code-language.ts'
import { harmsOf, judgeListOrText } from './script-call.ts'
import { isList, textsOf, type Value, valueText } from './value.ts'

/** A call in code that is read by its tokens. */
export interface CodeCall {
  /** Names to the called one: `['exec', 'Command']`; `()` stands for a call or an index before them. */
  readonly path: readonly string[]
  /** The text before the name, its dot included. */
  readonly receiver: string
  readonly name: string
  readonly args: readonly Value[]
  /** Calls on what this one answers. */
  readonly chained: readonly { readonly name: string; readonly args: readonly Value[] }[]
  readonly start: number
  readonly end: number
}

type Rule = (call: CodeCall, look: FindNested) => readonly Harm[]

const all = harm('filesystem', 'It deletes folders with everything in them.')
const dropsAll = harm('database', 'It deletes tables or whole databases.')
const emptied = harm('database', 'It deletes every row or document.')

const everything: Rule = () => all
/** One file or empty folder: harmless when everybody sees which. */
const single: Rule = ({ args }) =>
  args.length > 0 && args.every((value) => isPlainFile(valueText(value)))
    ? harmless
    : harm('filesystem', 'It deletes what is only known when it runs.')
const line: Rule = ({ args }, look) => judgeListOrText(args[0], look)
/** One text is a command line, several are a program and its arguments. */
const lineOrWords: Rule = ({ args }, look) =>
  args.length > 1 && typeof args[0] === 'string'
    ? judgeArguments(args.flatMap(textsOf), look)
    : judgeListOrText(args[0], look)
const words: Rule = ({ args }, look) => judgeArguments(args.flatMap(textsOf), look)
const laterWords: Rule = ({ args }, look) => judgeArguments(args.slice(1).flatMap(textsOf), look)
/** A program, and its arguments in one text. */
const programAndLine: Rule = ({ args }, look) =>
  harmsOf(look('shell', args.map(valueText).join(' ')))
const builder: Rule = ({ args, chained }, look) =>
  judgeArguments(
    [
      ...args.slice(0, 1),
      ...chained
        .filter(({ name }) => name === 'arg' || name === 'args')
        .flatMap((each) => each.args),
    ].flatMap(textsOf),
    look,
  )

/** By language: dotted names that end a call's path. */
const rules: Readonly<Partial<Record<CodeLanguageName, Readonly<Record<string, Rule>>>>> = {
  go: {
    'os.RemoveAll': everything,
    'os.Remove': single,
    'syscall.Unlink': single,
    'exec.Command': words,
    'exec.CommandContext': laterWords,
    'Migrator().DropTable': () => dropsAll,
  },
  rust: {
    'fs.remove_dir_all': everything,
    remove_dir_all: everything,
    'fs.remove_file': single,
    'fs.remove_dir': single,
    'Command.new': builder,
  },
  java: jvm(),
  kotlin: { ...jvm(), deleteRecursively: everything },
  scala: jvm(),
  groovy: { ...jvm(), deleteDir: everything, sh: line },
  csharp: {
    'Directory.Delete': (call, look) =>
      call.args[1] === true || call.args.length > 1 ? all : single(call, look),
    'File.Delete': single,
    'Process.Start': programAndLine,
    ProcessStartInfo: programAndLine,
    EnsureDeleted: () => dropsAll,
    EnsureDeletedAsync: () => dropsAll,
    DropTable: () => dropsAll,
    DropColumn: () => dropsAll,
    DropSchema: () => dropsAll,
    ExecuteDelete: ({ receiver }) => (/\bWhere\b/.test(receiver) ? harmless : emptied),
  },
  php: {
    unlink: bare(single),
    rmdir: bare(single),
    exec: bare(line),
    shell_exec: bare(line),
    system: bare(line),
    passthru: bare(line),
    popen: bare(line),
    proc_open: bare(line),
    pcntl_exec: bare(words),
    fromShellCommandline: line,
    Process: line,
    'File.deleteDirectory': everything,
    'File.cleanDirectory': everything,
    'Storage.deleteDirectory': everything,
    deleteDirectory: everything,
    'Schema.drop': () => dropsAll,
    'Schema.dropIfExists': () => dropsAll,
    'Schema.dropAllTables': () => dropsAll,
    'Schema.dropColumns': () => dropsAll,
    dropColumn: () => dropsAll,
    dropTable: () => dropsAll,
    dropAllTables: () => dropsAll,
    truncate: ({ args }) => (args.length === 0 ? emptied : harmless),
    'Artisan.call': ({ args }, look) =>
      judgeArguments(['artisan', ...valueText(args[0]).split(' ')], look),
  },
  ruby: {
    'FileUtils.rm_rf': everything,
    'FileUtils.rm_r': everything,
    'FileUtils.rmtree': everything,
    'FileUtils.remove_dir': everything,
    'FileUtils.remove_entry': everything,
    'FileUtils.remove_entry_secure': everything,
    'FileUtils.rm': single,
    'FileUtils.rm_f': single,
    rm_rf: bare(everything),
    rm_r: bare(everything),
    'File.delete': single,
    'File.unlink': single,
    'Dir.delete': single,
    'Dir.rmdir': single,
    'Dir.unlink': single,
    rmtree: everything,
    system: lineOrWords,
    exec: bare(lineOrWords),
    spawn: bare(lineOrWords),
    sh: bare(lineOrWords),
    'IO.popen': lineOrWords,
    'Open3.capture2': lineOrWords,
    'Open3.capture2e': lineOrWords,
    'Open3.capture3': lineOrWords,
    'Open3.popen3': lineOrWords,
    drop_table: () => dropsAll,
    drop_join_table: () => dropsAll,
    drop_database: () => dropsAll,
    remove_column: bare(() => dropsAll),
    remove_columns: bare(() => dropsAll),
    delete_all: onModel,
    destroy_all: onModel,
    flushall: () => emptied,
    flushdb: () => emptied,
  },
  perl: {
    system: bare(lineOrWords),
    exec: bare(lineOrWords),
    rmtree: bare(everything),
    remove_tree: bare(everything),
    unlink: bare(single),
  },
  elixir: {
    'File.rm_rf': everything,
    'File.rm_rf!': everything,
    'File.rm': single,
    'File.rm!': single,
    'System.cmd': words,
    'System.shell': line,
    'os.cmd': line,
  },
  lua: { 'os.execute': line, 'io.popen': line, 'os.remove': single },
  c: native(),
  cpp: native(),
  swift: { removeItem: single },
  dart: {
    'Process.run': words,
    'Process.runSync': words,
    'Process.start': words,
  },
  javascript: {
    'fs.rmSync': everything,
    'fs.rm': everything,
    rmSync: everything,
    rimraf: bare(everything),
    'rimraf.sync': everything,
    'fs.unlinkSync': single,
    unlinkSync: single,
    execSync: line,
    'child_process.exec': line,
    exec: bare(line),
    spawn: bare(words),
    spawnSync: bare(words),
    dropDatabase: () => dropsAll,
    deleteMany: ({ args }) =>
      args.length === 0 || (isList(args[0]) && args[0].length === 0) ? emptied : harmless,
    drop: ({ receiver, args }) =>
      args.length === 0 && /\bdb\b|[cC]ollection/.test(receiver) ? dropsAll : harmless,
    remove: ({ receiver, args }) =>
      /\bdb\b/.test(receiver) && isList(args[0]) && args[0].length === 0 ? emptied : harmless,
  },
  python: {
    'shutil.rmtree': everything,
    rmtree: bare(everything),
    'os.remove': single,
    'os.unlink': single,
    'os.removedirs': everything,
    'os.system': line,
    'os.popen': line,
    'subprocess.run': line,
    'subprocess.call': line,
    'subprocess.check_call': line,
    'subprocess.check_output': line,
    'subprocess.Popen': line,
    drop_all: () => dropsAll,
  },
}

/** The rule counts only for a call without a receiver. */
function bare(rule: Rule): Rule {
  return (call, look) => (call.path.length === 1 ? rule(call, look) : harmless)
}

function onModel({ receiver }: CodeCall): readonly Harm[] {
  return /^(?:\w+::)*[A-Z]\w*(?:\.all)?\.$/.test(receiver) ? emptied : harmless
}

function jvm(): Readonly<Record<string, Rule>> {
  const process: Rule = ({ args }, look) =>
    args.length === 1 ? judgeListOrText(args[0], look) : judgeArguments(args.flatMap(textsOf), look)
  return {
    'Files.delete': single,
    'Files.deleteIfExists': single,
    'FileUtils.deleteDirectory': everything,
    'FileUtils.forceDelete': everything,
    'FileUtils.cleanDirectory': everything,
    'FileUtils.deleteQuietly': everything,
    'FileSystemUtils.deleteRecursively': everything,
    'MoreFiles.deleteRecursively': everything,
    'MoreFiles.deleteDirectoryContents': everything,
    'PathUtils.deleteDirectory': everything,
    ProcessBuilder: process,
    'getRuntime().exec': process,
    '().exec': ({ receiver, args }, look) =>
      /getRuntime\(\)\s*\.$/.test(receiver) ? judgeListOrText(args[0], look) : harmless,
    'runtime.exec': line,
    'rt.exec': line,
    deleteAllInBatch: ({ args }) => (args.length === 0 ? emptied : harmless),
    '().execute': ({ receiver, args }, look) =>
      args.length === 0 ? literalBefore(receiver, look) : harmless,
  }
}

/** Groovy's `"rm -rf x".execute()`. */
function literalBefore(receiver: string, look: FindNested): readonly Harm[] {
  const text = /(["'])([^"'\n]*)\1\s*\.$/.exec(receiver)?.[2]
  return text === undefined ? harmless : harmsOf(look('shell', text))
}

function native(): Readonly<Record<string, Rule>> {
  return {
    system: bare(line),
    'std.system': line,
    popen: bare(line),
    'filesystem.remove_all': everything,
    'fs.remove_all': everything,
    unlink: bare(single),
    execl: bare(laterWords),
    execlp: bare(laterWords),
  }
}

const sqlMethods =
  /^(?:query|Query|QueryRow|queryRow|Exec|MustExec|NamedExec|exec|execute|executeUpdate|executeQuery|executeLargeUpdate|executeSql|executeSQL|execSQL|rawQuery|prepare|Prepare|prepareStatement|createNativeQuery|createSQLQuery|nativeQuery|statement|unprepared|raw|Raw|select_all|exec_query|sql_query|query_as|query!|batch_execute|update|batchUpdate|ExecuteSqlRaw|ExecuteSqlRawAsync|ExecuteSqlCommand|ExecuteSqlInterpolated|ExecuteNonQuery|ExecuteAsync|Execute|SqlCommand|NpgsqlCommand|MySqlCommand|SqliteCommand|OracleCommand|mysqli_query|pg_query|pg_send_query|sqlite_exec|sqlite3_exec|mysql_query|PQexec|QueryContext|ExecContext|QueryRowContext|PrepareContext|Sql|execute_batch|Ecto|query_raw|simple_query)$/

/** What a call of one of these languages destroys. */
export function judgeCode(
  language: CodeLanguageName,
  call: CodeCall,
  look: FindNested,
): readonly Harm[] {
  const table = rules[language] ?? {}
  for (const depth of [2, 1]) {
    const key = call.path.slice(-depth).join('.')
    const rule = call.path.length >= depth && Object.hasOwn(table, key) ? table[key] : undefined
    const found = rule?.(call, look) ?? harmless
    if (found.length > 0) return found
  }
  if (/^(?:FlushAll|FlushDB|flushAll|flushDB|flushDb)$/.test(call.name) && call.path.length > 1) {
    return harm('database', 'It deletes every key.')
  }
  if (!sqlMethods.test(call.name)) return harmless
  const texts = call.args.slice(0, 3).filter((value) => typeof value === 'string')
  return texts.flatMap((text) => harmsOf(look('sql', text))).slice(0, 1)
}
