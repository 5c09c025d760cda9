import { valueText } from '../../../../source/source.ts'
import { harmsOf } from '../../finding.ts'
import { harmless } from '../../shell/call.ts'
import { judgeArguments } from '../../shell/find-in-shell.ts'
import {
  builder,
  eachPath,
  everything,
  line,
  lineOrWords,
  programAndLine,
  when,
  words,
} from '../code-judges.ts'
import type { CodeLanguageName } from '../read-code-tokens.ts'
import { type CodeRule, drops, emptied, empties, hasNoArguments } from './code-rule.ts'

const jvm: readonly CodeRule[] = [
  { of: 'Files', calls: 'delete deleteIfExists', judge: eachPath },
  {
    of: 'FileUtils',
    calls: 'deleteDirectory forceDelete cleanDirectory deleteQuietly',
    judge: everything,
  },
  { of: 'FileSystemUtils', calls: 'deleteRecursively', judge: everything },
  { of: 'MoreFiles', calls: 'deleteRecursively deleteDirectoryContents', judge: everything },
  { of: 'PathUtils', calls: 'deleteDirectory', judge: everything },
  { calls: 'ProcessBuilder', judge: lineOrWords },
  { calls: 'exec', on: /getRuntime\(\)$/, judge: line },
  { of: 'runtime rt', calls: 'exec', judge: line },
  { calls: 'deleteAllInBatch', judge: when(hasNoArguments, emptied) },
  {
    // Groovy's `"rm -rf x".execute()`.
    calls: 'execute',
    on: /(["'])[^"'\n]*\1$/,
    judge: ({ receiver, count }, look) =>
      count > 0
        ? harmless
        : harmsOf(look('shell', /(["'])([^"'\n]*)\1$/.exec(receiver)?.[2] ?? '')),
  },
]

const native: readonly CodeRule[] = [
  { of: 'global', calls: 'system popen', judge: line },
  { of: 'std', calls: 'system', judge: line },
  { of: 'filesystem fs', calls: 'remove_all', judge: everything },
  { of: 'global', calls: 'unlink', judge: eachPath },
  { of: 'global', calls: 'execl execlp', judge: words(1) },
]

type OtherLanguage = Exclude<CodeLanguageName, 'javascript' | 'python'>

/** For languages that are read only by tokens. */
export const otherRules: Readonly<Record<OtherLanguage, readonly CodeRule[]>> = {
  c: native,
  cpp: native,
  java: jvm,
  scala: jvm,
  kotlin: [{ calls: 'deleteRecursively', judge: everything }, ...jvm],
  groovy: [{ calls: 'deleteDir', judge: everything }, { calls: 'sh', judge: line }, ...jvm],
  go: [
    { of: 'os', calls: 'RemoveAll', judge: everything },
    { of: 'os', calls: 'Remove', judge: eachPath },
    { of: 'syscall', calls: 'Unlink', judge: eachPath },
    { of: 'exec', calls: 'Command', judge: words() },
    { of: 'exec', calls: 'CommandContext', judge: words(1) },
    { calls: 'DropTable', on: /Migrator\(\)$/, judge: drops },
  ],
  rust: [
    { calls: 'remove_dir_all', judge: everything },
    { of: 'fs', calls: 'remove_file remove_dir', judge: eachPath },
    { of: 'Command', calls: 'new', judge: builder },
  ],
  csharp: [
    {
      of: 'Directory',
      calls: 'Delete',
      judge: (call, look) => (call.args.length > 1 ? everything : eachPath)(call, look),
    },
    { of: 'File', calls: 'Delete', judge: eachPath },
    { of: 'Process', calls: 'Start', judge: programAndLine },
    { calls: 'ProcessStartInfo', judge: programAndLine },
    {
      calls: 'EnsureDeleted EnsureDeletedAsync DropTable DropColumn DropSchema',
      judge: drops,
    },
    {
      calls: 'ExecuteDelete',
      judge: when(({ receiver }) => !/\bWhere\b/.test(receiver), emptied),
    },
  ],
  php: [
    { of: 'global', calls: 'unlink rmdir', judge: eachPath },
    { of: 'global', calls: 'exec shell_exec system passthru popen proc_open', judge: line },
    { of: 'global', calls: 'pcntl_exec', judge: words() },
    { calls: 'fromShellCommandline Process', judge: line },
    { calls: 'deleteDirectory', judge: everything },
    { of: 'File', calls: 'cleanDirectory', judge: everything },
    { of: 'Schema', calls: 'drop dropIfExists dropColumns', judge: drops },
    { calls: 'dropColumn dropTable dropAllTables', judge: drops },
    { calls: 'truncate', judge: when(hasNoArguments, emptied) },
    {
      of: 'Artisan',
      calls: 'call',
      judge: ({ args }, look) =>
        judgeArguments(['artisan', ...valueText(args[0]).split(' ')], look),
    },
  ],
  ruby: [
    {
      of: 'FileUtils',
      calls: 'rm_rf rm_r rmtree remove_dir remove_entry remove_entry_secure',
      judge: everything,
    },
    { of: 'FileUtils', calls: 'rm rm_f', judge: eachPath },
    { of: 'global', calls: 'rm_rf rm_r', judge: everything },
    { of: 'File Dir', calls: 'delete unlink rmdir', judge: eachPath },
    { calls: 'rmtree', judge: everything },
    { calls: 'system', judge: lineOrWords },
    { of: 'global', calls: 'exec spawn sh', judge: lineOrWords },
    { of: 'IO', calls: 'popen', judge: lineOrWords },
    { of: 'Open3', calls: 'capture2 capture2e capture3 popen3', judge: lineOrWords },
    { calls: 'drop_table drop_join_table drop_database', judge: drops },
    { of: 'global', calls: 'remove_column remove_columns', judge: drops },
    { calls: 'delete_all destroy_all', on: /^(?:\w+::)*[A-Z]\w*(?:\.all)?$/, judge: empties },
  ],
  perl: [
    { of: 'global', calls: 'system exec', judge: lineOrWords },
    { of: 'global', calls: 'rmtree remove_tree', judge: everything },
    { of: 'global', calls: 'unlink', judge: eachPath },
  ],
  elixir: [
    { of: 'File', calls: 'rm_rf rm_rf!', judge: everything },
    { of: 'File', calls: 'rm rm!', judge: eachPath },
    { of: 'System', calls: 'cmd', judge: words() },
    { of: 'System', calls: 'shell', judge: line },
    { of: 'os', calls: 'cmd', judge: line },
  ],
  lua: [
    { of: 'os', calls: 'execute', judge: line },
    { of: 'io', calls: 'popen', judge: line },
    { of: 'os', calls: 'remove', judge: eachPath },
  ],
  swift: [{ calls: 'removeItem', judge: eachPath }],
  dart: [{ of: 'Process', calls: 'run runSync start', judge: words() }],
}
