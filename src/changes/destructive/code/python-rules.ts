import type { FindNested, Harm } from '../finding.ts'
import { harm, harmless, isPlainFile } from '../shell/call.ts'
import { judgeArguments } from '../shell/find-in-shell.ts'
import { harmsOf, judgeListOrText, judgeSql } from './script-call.ts'
import { isEntries, isList, textsOf, type Value, valueText } from './value.ts'

/** A call in Python, with what is known of it. */
export interface PythonCall {
  /** True when an import of this file begins the path. */
  readonly isImported: boolean
  readonly path: readonly string[]
  readonly name: string
  /** The text before the last dot, as written and shortened. */
  readonly receiver: string
  /** The receiver is evidently a `pathlib.Path`. */
  readonly isPath: boolean
  readonly args: readonly Value[]
  readonly keywords: ReadonlyMap<string, Value>
  readonly count: number
}

const everything = 'It deletes folders with everything in them.'
const single = 'It deletes what is only known when it runs.'
const emptied = 'It deletes every row or document.'
const dropsAll = 'It deletes tables or whole databases.'
const cloud = 'It deletes something that runs or is stored in a cloud.'

const processes =
  /^(?:subprocess\.(?:run|call|check_call|check_output|Popen|getoutput|getstatusoutput)|os\.(?:system|popen)|commands\.(?:getoutput|getstatusoutput)|pexpect\.(?:run|spawn)|asyncio\.create_subprocess_shell|asyncio\.subprocess\.create_subprocess_shell|invoke\.run|fabric\.api\.(?:run|local|sudo)|fabric\.operations\.(?:run|local|sudo)|anyio\.run_process|trio\.run_process|sh\.bash|delegator\.run|envoy\.run|popen2\.popen2|plumbum\.local)$/

export function judgePython(call: PythonCall, look: FindNested): readonly Harm[] {
  const dotted = call.path.join('.')
  const known = call.isImported ? judgeImported(dotted, call, look) : harmless
  if (known.length > 0) return known
  const files = judgeFiles(call)
  return files.length > 0 ? files : judgeMethod(call, look)
}

function judgeImported(
  dotted: string,
  { args, keywords, name }: PythonCall,
  look: FindNested,
): readonly Harm[] {
  const [first] = args
  const command = first ?? keywords.get('args')
  if (processes.test(dotted)) {
    const isShell = keywords.get('shell') === true
    return isList(command) && isShell
      ? judgeListOrText(textsOf(command)[0], look)
      : judgeListOrText(command, look)
  }
  if (/^asyncio(?:\.subprocess)?\.create_subprocess_exec$/.test(dotted))
    return judgeArguments(args.map(valueText), look)
  if (/^os\.(?:exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?)$/.test(dotted)) {
    const words = (name.startsWith('spawn') ? args.slice(1) : args).slice(1)
    return judgeArguments(words.flatMap(textsOf), look)
  }
  if (
    /^(?:shutil|setuptools\._?distutils\.dir_util|distutils\.dir_util)\.(?:rmtree|remove_tree)$/.test(
      dotted,
    )
  )
    return harm('filesystem', everything)
  if (dotted === 'os.removedirs') return harm('filesystem', everything)
  if (/^os\.(?:remove|unlink|rmdir)$/.test(dotted)) {
    const path = valueText(first ?? keywords.get('path'))
    return isPlainFile(path) ? harmless : harm('filesystem', single)
  }
  if (/^sh\.\w+$/.test(dotted)) return judgeArguments([name, ...args.flatMap(textsOf)], look)
  if (/^send2trash\b/.test(dotted)) return harmless
  if (/(?:^|\.)call_command$/.test(dotted)) {
    return /^(?:flush|reset_db)$/.test(valueText(first)) ||
      (first === 'migrate' && args.at(-1) === 'zero')
      ? harm('database', dropsAll)
      : harmless
  }
  if (/(?:^|\.)drop_database$/.test(dotted)) return harm('database', dropsAll)
  if (/^(?:sqlalchemy\.text|django\.db\.migrations\.RunSQL)$/.test(dotted)) {
    return dotted.endsWith('RunSQL')
      ? isList(first)
        ? first.flatMap((each) => judgeSql(each, look))
        : judgeSql(first, look)
      : harmless
  }
  return /(?:^|\.)migrations\.(?:DeleteModel|RemoveField)$/.test(dotted)
    ? harm('database', dropsAll)
    : harmless
}

function judgeFiles({ isPath, name, receiver, args }: PythonCall): readonly Harm[] {
  if (!isPath || args.length > 1) return harmless
  if (name === 'rmtree') return harm('filesystem', everything)
  if (name !== 'unlink' && name !== 'rmdir') return harmless
  const constant = /^(?:pathlib\.)?Path\(\s*(["'])([^"'{}]*)\1\s*\)$/.exec(receiver)?.[2]
  return constant !== undefined && isPlainFile(constant) ? harmless : harm('filesystem', single)
}

const sqlMethods =
  /^(?:execute|executemany|executescript|exec_driver_sql|read_sql|read_sql_query|execute_sql|raw|raw_sql|run_sql|fetch|fetchrow|fetchval|fetch_all|fetch_one|query)$/

function judgeMethod(call: PythonCall, look: FindNested): readonly Harm[] {
  const { name, receiver, args, keywords, count } = call
  const [first] = args
  if (sqlMethods.test(name) && receiver !== '') {
    const found = judgeSql(first ?? keywords.get('sql') ?? keywords.get('query'), look)
    if (found.length > 0) return found
  }
  const isRemote =
    name === 'exec_command' ||
    (/^(?:run|sudo|local)$/.test(name) &&
      /^(?:\w*_)?(?:c|ctx|context|conn|connection|client|ssh)$/.test(receiver))
  if (isRemote && typeof first === 'string') return harmsOf(look('shell', first))
  // nox and tox: the arguments of one program.
  if (name === 'run' && receiver === 'session') return judgeArguments(args.map(valueText), look)
  const git = /\.git$/.test(receiver)
    ? judgeArguments(['git', name, ...args.flatMap(textsOf)], look)
    : harmless
  if (git.length > 0) return git
  if (receiver === '') return harmless
  const why = judgeDatabase(name, receiver, first, count, keywords)
  if (why !== null) return harm('database', why)
  return judgeCloud(name, receiver, keywords)
}

function judgeDatabase(
  name: string,
  receiver: string,
  first: Value,
  count: number,
  keywords: ReadonlyMap<string, Value>,
): string | null {
  switch (name) {
    case 'drop_all':
    case 'drop_table':
    case 'drop_tables':
    case 'drop_column':
    case 'drop_database':
    case 'drop_collection':
    case 'drop_schema':
      return dropsAll
    case 'drop':
      return count === 0 &&
        /(?:^|[._\]])(?:db|database|collection|table|__table__|\w*collection|\w*table)(?:\[[^\]]*\])?$|^db[.[]/i.test(
          receiver,
        )
        ? dropsAll
        : null
    case 'delete':
      return count === 0 && isWholeTable(receiver) ? emptied : null
    case 'delete_many':
    case 'remove':
      return isEntries(first) && first.size === 0 ? emptied : null
    case 'flushall':
    case 'flushdb':
      return 'It deletes every key.'
    case 'execute':
      return /\b[A-Z]\w*\.delete\(\)$/.test(receiver) ? emptied : null
    case 'truncate_table':
      return emptied
    default:
      return name === 'delete' && keywords.has('index') ? dropsAll : null
  }
}

/** Every row, with nothing that chooses: `.objects.all()`, `session.query(User)`. */
const isWholeTable = (receiver: string): boolean =>
  /\.objects\.(?:all|filter)\(\)$|\.query\(\s*\w+\s*\)$|\b[A-Z]\w*\.query$/.test(receiver)

function judgeCloud(
  name: string,
  receiver: string,
  keywords: ReadonlyMap<string, Value>,
): readonly Harm[] {
  if (
    /^(?:delete_(?:bucket|table|stack|cluster|db_instance|db_cluster|function|repository|file_system|volume|snapshot|hosted_zone|queue|topic|nodegroup|vpc)|terminate_instances|terminate_job_flows|purge_queue|schedule_key_deletion)$/.test(
      name,
    )
  ) {
    const isClient =
      keywords.size > 0 ||
      /(?:client|s3|ec2|rds|dynamo|sqs|sns|ecs|eks|lambda|resource|boto)/i.test(receiver)
    return isClient ? harm('cloud', cloud) : harmless
  }
  if (name === 'delete' && /(?:bucket|\.Bucket\([^)]*\))\.objects(?:\.all\(\))?$/i.test(receiver))
    return harm('cloud', cloud)
  if (name === 'prune' && /\b(?:containers|volumes|images|networks)$/.test(receiver)) {
    return harm('containers', 'It deletes containers, images or volumes.')
  }
  return name === 'remove' && keywords.get('force') === true && /container/i.test(receiver)
    ? harm('containers', 'It deletes containers, images or volumes.')
    : harmless
}
