import { entry, isEntries } from '../../../../source/source.ts'
import { harmless } from '../../shell/call.ts'
import {
  commandOption,
  deletesFolders,
  everything,
  firstPath,
  git,
  harm,
  isEmpty,
  line,
  pathWithOptions,
  programAndLine,
  programWithOptions,
  selectsAll,
  spawn,
  sql,
  tagged,
  when,
  words,
} from '../code-judges.ts'
import {
  type CodeRule,
  cloud,
  dropped,
  drops,
  emptied,
  hasNoArguments,
  something,
} from './code-rule.ts'

const filesOfNode = 'fs fs/promises fs-extra fs-extra/esm graceful-fs @std/fs'
const databaseName =
  /(?:^|[^a-z])(?:\w*(?:db|database|conn|connection|client|pool|sqlite|sql|postgres|pg|mysql|knex|sequelize|prisma|trx|tx|t|session|statement|stmt|store|cursor|runner|manager|orm|repository|adapter|driver))$/i
const shellName =
  /(?:^|[^a-z])(?:cp|childProcess|child_process|shell|shelljs|sh|ssh|ssh2|conn|terminal|sandbox|container|exec|execa|host|remote|vm)$/i

export const scriptRules: readonly CodeRule[] = [
  { of: filesOfNode, calls: 'rm rmSync', judge: pathWithOptions },
  {
    of: filesOfNode,
    calls: 'remove removeSync emptyDir emptyDirSync emptydir emptydirSync',
    judge: everything,
  },
  { of: filesOfNode, calls: 'unlink unlinkSync rmdir rmdirSync', judge: firstPath },
  { of: 'global.Deno', calls: 'remove removeSync', judge: firstPath },
  { of: 'global.Deno', calls: 'run', judge: commandOption },
  { of: 'global.Deno', calls: 'Command', judge: programWithOptions },
  { of: 'global.Bun', calls: 'spawn spawnSync', judge: commandOption },
  {
    of: 'rimraf del del-cli fs-remove rm-rf remove-folder empty-dir',
    calls: '*',
    judge: when(({ name }) => !/^(?:dryRun|rimrafPath)$/.test(name), deletesFolders),
  },
  { of: '@actions/io', calls: 'rmRF', judge: everything },
  { of: 'fs-jetpack', calls: 'remove', judge: everything },
  { of: 'global ?', calls: 'rmSync', judge: pathWithOptions },
  { of: 'global ?', calls: 'unlinkSync', judge: firstPath },
  { of: '?', calls: 'execSync execFileSync spawnSync', judge: spawn },
  { of: 'global', calls: 'rimraf', judge: everything },
  { of: 'shelljs shelljs/global', calls: 'rm', judge: words(0, 'rm') },
  { of: 'shelljs shelljs/global', calls: 'exec', judge: line },
  { of: 'shelljs shelljs/global', calls: 'cmd', judge: words() },
  { of: '@actions/exec', calls: '*', judge: programAndLine },
  {
    of: `child_process cross-spawn execa tinyexec nano-spawn child-process-promise spawndamnit
      promisify-child-process`,
    calls: '*',
    judge: spawn,
  },
  {
    of: 'global',
    calls: `exec execSync execFile execFileSync spawn spawnSync execa execaSync execaCommand
      execaCommandSync`,
    judge: spawn,
  },
  { of: 'zx zx/core dax dax-sh bun zurk cross-exec', calls: '*', judge: tagged },
  { of: 'global global.Bun', calls: '$', judge: tagged },
  {
    of: '@aws-sdk',
    calls: '*',
    judge: when(
      ({ name }) =>
        /^(?:Delete|Terminate|Purge)\w+Command$/.test(name) &&
        !/^Delete(?:Objects?|Item|Message)Command$/.test(name),
      cloud,
    ),
  },
  {
    calls: 'DataSource Sequelize',
    judge: when(
      ({ args }) => entry(args[0], 'dropSchema') === true,
      harm('database', 'It deletes the whole schema at every start.'),
    ),
  },
  { calls: 'SQL pgsql psql', judge: (call, look) => (call.isTagged ? sql(call, look) : harmless) },
  {
    calls: `exec run all get each prepare one none any many oneOrNone manyOrNone result multi batch
      values iterate pragma`,
    on: databaseName,
    judge: sql,
  },
  { calls: 'execCommand', judge: line },
  { calls: 'exec run', on: shellName, judge: line },
  {
    calls: `dropDatabase dropTable dropTableIfExists dropSchema dropSchemaIfExists dropAllTables
      dropAllSchemas dropCollection dropColumn dropColumns removeColumn removeColumns`,
    on: something,
    judge: drops,
  },
  {
    calls: 'sync',
    on: something,
    judge: when(({ args }) => entry(args[0], 'force') === true, dropped),
  },
  {
    calls: 'synchronize',
    on: something,
    judge: when(({ args }) => args[0] === true || entry(args[0], 'force') === true, dropped),
  },
  {
    calls: 'drop',
    on: databaseName,
    judge: when(({ count, args }) => count === 0 || isEntries(args[0]), dropped),
  },
  { calls: 'drop', on: /collection|model\b|schema|\bdb\b/i, judge: when(hasNoArguments, dropped) },
  {
    calls: 'deleteMany',
    on: something,
    judge: when(({ args, count }) => selectsAll(args[0], count), emptied),
  },
  {
    calls: 'bulkDelete',
    on: something,
    judge: when(({ args, count }) => selectsAll(args[1], count - 1), emptied),
  },
  {
    calls: 'destroy',
    on: something,
    judge: when(({ args: [options] }) => {
      const isWhole = isEntries(options) && options.has('where') && isEmpty(options.get('where'))
      return isWhole || entry(options, 'truncate') === true
    }, emptied),
  },
  {
    calls: 'remove deleteAll',
    on: /^[A-Z]\w*$|collection|db\./i,
    judge: when(({ args, count }) => count === 1 && isEmpty(args[0]), emptied),
  },
  {
    calls: 'truncate',
    on: something,
    judge: when(({ args, count }) => count === 0 || (count === 1 && isEntries(args[0])), emptied),
  },
  {
    // `knex('users')` without a condition after it.
    calls: 'del delete',
    on: /^(?:this\.)?\w*(?:knex|db|trx|tx)\(\s*['"`][\w.]+['"`]\s*\)$/i,
    judge: when(hasNoArguments, emptied),
  },
  {
    calls: 'raw push reset clean branch checkout stash rm',
    on: /(?:^|[^a-z])\w*git$/i,
    judge: git,
  },
]
