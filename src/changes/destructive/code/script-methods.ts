import type { FindNested, Harm } from '../finding.ts'
import { harm, harmless } from '../shell/call.ts'
import { judgeArguments } from '../shell/find-in-shell.ts'
import { type ApiCall, judgeListOrText, judgeSql } from './script-call.ts'
import { entry, isEntries, isList, textsOf, type Value } from './value.ts'

/** Methods that take SQL, whatever they are called on. */
const sqlMethods =
  /^(?:query|queryRaw|execute|executeSql|executeQuery|executeRaw|raw|unsafe|rawQuery|runSql|runSQL|execSql|sql|queryAsync|execAsync|\$executeRawUnsafe|\$queryRawUnsafe|\$executeRaw|\$queryRaw|queryObject|queryArray|executeSync|createQuery)$/
/** Methods of anything at all, which take SQL when called on something that is called like a database. */
const looseSqlMethods =
  /^(?:exec|run|all|get|each|prepare|one|none|any|many|oneOrNone|manyOrNone|result|multi|batch|values|iterate|pragma)$/
const databaseName =
  /(?:^|[^a-z])(?:\w*(?:db|database|conn|connection|client|pool|sqlite|sql|postgres|pg|mysql|knex|sequelize|prisma|trx|tx|t|session|statement|stmt|store|cursor|runner|manager|orm|repository|adapter|driver))$/i
const shellName =
  /(?:^|[^a-z])(?:cp|childProcess|child_process|shell|shelljs|sh|ssh|ssh2|conn|terminal|sandbox|container|exec|execa|host|remote|vm)$/i

const emptied = 'It deletes every row or document.'
const dropsAll = 'It deletes tables or whole databases.'

/** Methods whose names say enough: of databases, object mappers, git and cloud clients. */
export function judgeMethod(call: ApiCall, look: FindNested): readonly Harm[] {
  const { name, receiver, args } = call
  if (sqlMethods.test(name) || (looseSqlMethods.test(name) && databaseName.test(receiver))) {
    const found = judgeSql(args[0], look)
    if (found.length > 0) return found
  }
  if (name === 'execCommand' || (/^(?:exec|run)$/.test(name) && shellName.test(receiver))) {
    const found = judgeListOrText(args[0], look)
    if (found.length > 0) return found
  }
  if (receiver === '') return harmless
  const why = judgeDatabase(call)
  if (why !== null) return harm('database', why)
  return judgeGit(call, look)
}

function judgeDatabase({ name, receiver, args, count }: ApiCall): string | null {
  const [first] = args
  switch (name) {
    case 'dropDatabase':
    case 'dropTable':
    case 'dropTableIfExists':
    case 'dropSchema':
    case 'dropSchemaIfExists':
    case 'dropAllTables':
    case 'dropAllSchemas':
    case 'dropCollection':
    case 'dropColumn':
    case 'dropColumns':
    case 'removeColumn':
    case 'removeColumns':
      return dropsAll
    case 'sync':
    case 'synchronize':
      return entry(first, 'force') === true || (name === 'synchronize' && first === true)
        ? dropsAll
        : null
    case 'drop':
      return ((count === 0 || isEntries(first)) && databaseName.test(receiver)) ||
        (/collection|model\b|schema/i.test(receiver) && count === 0)
        ? dropsAll
        : null
    case 'deleteMany':
    case 'bulkDelete':
      return selectsAll(
        name === 'bulkDelete' ? args[1] : first,
        name === 'bulkDelete' ? count - 1 : count,
      )
        ? emptied
        : null
    case 'destroy':
      return entry(first, 'truncate') === true ||
        (isEntries(first) && isEmpty(entry(first, 'where')) && first.has('where'))
        ? emptied
        : null
    case 'remove':
    case 'deleteAll':
      return isEmpty(first) && count === 1 && /^[A-Z]\w*$|collection|db\./i.test(receiver)
        ? emptied
        : null
    case 'truncate':
      return count === 0 || (isEntries(first) && count === 1) ? emptied : null
    case 'flushall':
    case 'flushAll':
    case 'flushdb':
    case 'flushDb':
    case 'flushDB':
    case 'FLUSHALL':
    case 'FLUSHDB':
      return 'It deletes every key.'
    case 'del':
    case 'delete':
      return count === 0 && isWholeTable(receiver) ? emptied : null
    default:
      return null
  }
}

const isEmpty = (value: Value): boolean => isEntries(value) && value.size === 0

/** No filter, an empty one, or Prisma's options without a `where`. */
function selectsAll(filter: Value, count: number): boolean {
  if (count <= 0 || filter === null || isEmpty(filter)) return true
  if (!isEntries(filter) || !filter.has('where')) return false
  const where = entry(filter, 'where')
  return isEmpty(where) || where === null
}

/** `knex('users')` with nothing that chooses rows behind it. */
const isWholeTable = (receiver: string): boolean =>
  /^(?:this\.)?\w*(?:knex|db|trx|tx)\(\s*['"`][\w.]+['"`]\s*\)$/i.test(receiver)

/** simple-git, and clients that take git's own arguments. */
function judgeGit({ name, receiver, args }: ApiCall, look: FindNested): readonly Harm[] {
  if (!/(?:^|[^a-z])\w*git$/i.test(receiver)) return harmless
  const words = args.flatMap((value) =>
    typeof value === 'string' || isList(value) ? textsOf(value) : optionsOf(value),
  )
  if (name === 'raw') return judgeArguments(['git', ...words], look)
  if (!/^(?:push|reset|clean|branch|checkout|stash|rm)$/.test(name)) return harmless
  const isMode = name === 'reset' && words[0] === 'hard'
  return judgeArguments(
    [
      'git',
      name,
      ...(isMode
        ? ['--hard']
        : name === 'clean'
          ? words.map((word) => (/^[a-z]+$/.test(word) ? `-${word}` : word))
          : words),
    ],
    look,
  )
}

const optionsOf = (value: Value): readonly string[] => (isEntries(value) ? [...value.keys()] : [])
