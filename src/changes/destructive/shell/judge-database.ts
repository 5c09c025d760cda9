import type { FindNested, Harm } from '../finding.ts'
import { type Call, harm, harmless } from './call.ts'

const wipes = 'It deletes a database, its tables or all their rows.'

type Rule = (words: readonly string[], call: Call) => boolean

const rails: Rule = (words) =>
  words.some((word) =>
    /^db:(?:drop|reset|purge|migrate:reset|schema:load|structure:load|truncate_all|seed:replant)(?::\w+)*$/.test(
      word,
    ),
  )
const django: Rule = (words) =>
  words.some((word, index) => /^(?:flush|reset_db|sqlflush_run)$/.test(word) && index < 3) ||
  (words.includes('migrate') && words.at(-1) === 'zero')
const artisan: Rule = (words) =>
  words.some((word) => /^(?:migrate:(?:fresh|refresh|reset)|db:wipe|schema:dump)$/.test(word)) ||
  words.some((word) => /^doctrine:(?:schema|database):drop$/.test(word))

/** Tools that manage databases, by program. Words are those without leading dashes, in order. */
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['dropdb', () => true],
  ['dropuser', () => true],
  ['mysqladmin', (words) => words.includes('drop')],
  [
    'prisma',
    ([first, second], call) =>
      (first === 'migrate' && second === 'reset') ||
      (first === 'db' && call.has('--force-reset', '--accept-data-loss')),
  ],
  ['rails', rails],
  ['rake', rails],
  ['artisan', artisan],
  ['console', artisan],
  ['sail', artisan],
  ['php', artisan],
  ['manage.py', django],
  ['django-admin', django],
  ['sequelize', sequelize],
  ['sequelize-cli', sequelize],
  ['knex', (words, call) => words[0] === 'migrate:rollback' && call.has('--all')],
  ['typeorm', ([first = '']) => /^schema:drop$/.test(first)],
  ['typeorm-ts-node-commonjs', ([first = '']) => /^schema:drop$/.test(first)],
  [
    'mikro-orm',
    ([first = '']) => /^(?:schema:(?:drop|fresh)|migration:fresh|database:drop)$/.test(first),
  ],
  ['alembic', (words) => words.includes('downgrade') && words.includes('base')],
  ['flask', (words) => words.includes('downgrade') && words.includes('base')],
  ['supabase', ([first, second]) => first === 'db' && second === 'reset'],
  ['drizzle-kit', ([first]) => first === 'drop'],
  ['flyway', (words) => words.includes('clean')],
  ['liquibase', (words) => words.some((word) => /^drop-?all$/i.test(word))],
  ['mix', (words) => words.some((word) => /^ecto\.(?:drop|reset)$/.test(word))],
  ['diesel', ([first, second = '']) => first === 'database' && /^(?:reset|drop)$/.test(second)],
  [
    'sqlx',
    ([first, second = '']) =>
      /^(?:database|db)$/.test(first ?? '') && /^(?:reset|drop)$/.test(second),
  ],
  [
    'sea-orm-cli',
    ([first, second = '']) => first === 'migrate' && /^(?:fresh|reset|refresh)$/.test(second),
  ],
  ['heroku', ([first]) => first === 'pg:reset'],
  ['dotnet', (words) => words[0] === 'ef' && words[1] === 'database' && words[2] === 'drop'],
  ['goose', (words) => words.at(-1) === 'reset'],
  [
    'migrate',
    (words, call) => words.at(-1) === 'drop' || (words.includes('drop') && call.has('-f')),
  ],
  ['dbmate', ([first]) => first === 'drop'],
  ['etcdctl', (words, call) => words.includes('del') && call.has('--prefix', '--from-key')],
  ['nodetool', ([first]) => first === 'clearsnapshot'],
  [
    'rabbitmqctl',
    ([first = '']) => /^(?:reset|force_reset|delete_queue|purge_queue|delete_vhost)$/.test(first),
  ],
  ['kafka-topics', (_, call) => call.has('--delete')],
  ['kafka-topics.sh', (_, call) => call.has('--delete')],
  ['redis-cli', redis],
  ['valkey-cli', redis],
])

/** Only a command's own name counts, not a key that is called like one. */
function redis(_: readonly string[], { words }: Call): boolean {
  let at = 0
  while (/^-./.test(words[at] ?? ''))
    at += /^-[hpsaunurdDx]$|^--(?:user|pass)$/.test(words[at] ?? '') ? 2 : 1
  return /^(?:flushall|flushdb)$/i.test(words[at] ?? '')
}

/** Database tools, and what database clients are given to run. */
export function judgeDatabase(call: Call, look: FindNested): readonly Harm[] {
  const words = call.words.filter((word) => !/^-/.test(word))
  const found = [...(rules.get(call.program)?.(words, call) ? harm('database', wipes) : harmless)]
  if (/^(?:python|pypy)[\d.]*$/.test(call.program)) {
    const at = call.words.findIndex((word) => /(?:^|[\\/])manage\.py$/.test(word))
    const module = call.value('-m')
    if (
      at >= 0 &&
      django(
        call.words.slice(at + 1).filter((word) => !/^-/.test(word)),
        call,
      )
    ) {
      found.push(...harm('database', wipes))
    } else if (module === 'django' && django(words.slice(1), call)) {
      found.push(...harm('database', wipes))
    }
  }
  const sql = statementOf(call)
  if (sql !== null) found.push(...look('sql', sql))
  if (/^mongo(?:sh)?$/.test(call.program)) {
    const script = call.value('--eval')
    if (script !== null) found.push(...look('javascript', script))
  }
  return found.map(({ category, why }) => ({ category, why }))
}

/** The SQL that a client is told to run. */
function statementOf(call: Call): string | null {
  const { program, operands } = call
  if (program === 'psql') return call.value('-c', '--command')
  if (/^(?:mysql|mariadb|cockroach)$/.test(program)) return call.value('-e', '--execute')
  if (program === 'sqlcmd') return call.value('-Q', '-q')
  if (/^(?:clickhouse-client|snowsql|presto|trino)$/.test(program))
    return call.value('-q', '--query', '--execute')
  if (program === 'duckdb') return call.value('-c') ?? operands[1] ?? null
  if (
    program === 'hive' ||
    program === 'beeline' ||
    program === 'spark-sql' ||
    program === 'cqlsh' ||
    program === 'isql'
  ) {
    return call.value('-e')
  }
  if (program === 'bq') return operands[0] === 'query' ? operands.slice(1).join(' ') : null
  if (program === 'wrangler') return call.value('--command')
  // Its operands are a file and a statement.
  if (/^sqlite3?$/.test(program)) return operands.slice(1).join(';\n')
  if (program === 'heroku' && operands[0] === 'pg:psql') return call.value('-c', '--command')
  return null
}

function sequelize(words: readonly string[]): boolean {
  return words.some((word) => /^db:(?:drop|migrate:undo:all)$/.test(word))
}
