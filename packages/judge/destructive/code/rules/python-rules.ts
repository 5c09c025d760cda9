import { valueText } from '../../../../source/source.ts'
import {
  always,
  everything,
  firstPath,
  git,
  isEmpty,
  line,
  ownPath,
  sql,
  textLine,
  when,
  words,
} from '../code-judges.ts'
import {
  type CodeRule,
  cloud,
  containers,
  dropped,
  drops,
  emptied,
  empties,
  hasNoArguments,
  something,
} from './code-rule.ts'

export const pythonRules: readonly CodeRule[] = [
  {
    of: 'subprocess',
    calls: 'run call check_call check_output Popen getoutput getstatusoutput',
    judge: line,
  },
  { of: 'os', calls: 'system popen', judge: line },
  { of: 'commands', calls: 'getoutput getstatusoutput', judge: line },
  { of: 'pexpect', calls: 'run spawn', judge: line },
  { of: 'asyncio asyncio.subprocess', calls: 'create_subprocess_shell', judge: line },
  { of: 'invoke anyio trio delegator envoy', calls: 'run run_process', judge: line },
  { of: 'fabric.api fabric.operations', calls: 'run local sudo', judge: line },
  { of: 'sh', calls: 'bash', judge: line },
  { of: 'popen2', calls: 'popen2', judge: line },
  { of: 'plumbum', calls: 'local', judge: line },
  { of: 'asyncio asyncio.subprocess', calls: 'create_subprocess_exec', judge: words() },
  {
    of: 'os',
    calls: 'execl execle execlp execlpe execv execve execvp execvpe posix_spawn posix_spawnp',
    judge: words(1),
  },
  {
    of: 'os',
    calls: 'spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe',
    judge: words(2),
  },
  {
    of: 'shutil distutils.dir_util setuptools._distutils.dir_util setuptools.distutils.dir_util',
    calls: 'rmtree remove_tree',
    judge: everything,
  },
  { of: 'global', calls: 'rmtree', judge: everything },
  { of: 'os', calls: 'removedirs', judge: everything },
  { of: 'os', calls: 'remove unlink rmdir', judge: firstPath },
  { of: 'pathlib.Path', calls: 'rmtree', judge: everything },
  { of: 'pathlib.Path', calls: 'unlink rmdir', judge: ownPath },
  { of: 'sh', calls: '*', judge: (call, look) => words(0, call.name)(call, look) },
  {
    calls: 'call_command',
    judge: when(
      ({ args }) =>
        /^(?:flush|reset_db)$/.test(valueText(args[0])) ||
        (args[0] === 'migrate' && args.at(-1) === 'zero'),
      dropped,
    ),
  },
  { calls: 'RunSQL', judge: sql },
  { of: 'django.db.migrations', calls: 'DeleteModel RemoveField', judge: drops },
  { calls: 'fetch', on: something, judge: sql },
  { calls: 'exec_command', judge: textLine },
  {
    calls: 'run sudo local',
    on: /^(?:\w*_)?(?:c|ctx|context|conn|connection|client|ssh)$/,
    judge: textLine,
  },
  // nox and tox: the arguments of one program.
  { calls: 'run', on: /^session$/, judge: words() },
  { calls: '*', on: /\.git$/, judge: git },
  {
    calls: `drop_all drop_table drop_tables drop_column drop_database drop_collection drop_schema`,
    judge: drops,
  },
  {
    calls: 'drop',
    on: /(?:^|[._\]])(?:db|database|collection|table|__table__|\w*collection|\w*table)(?:\[[^\]]*\])?$|^db[.[]/i,
    judge: when(hasNoArguments, dropped),
  },
  {
    // Every row, without a condition: `.objects.all()`, `session.query(User)`.
    calls: 'delete',
    on: /\.objects\.(?:all|filter)\(\)$|\.query\(\s*\w+\s*\)$|\b[A-Z]\w*\.query$/,
    judge: when(hasNoArguments, emptied),
  },
  {
    calls: 'delete_many remove',
    on: something,
    judge: when(({ args }) => isEmpty(args[0]), emptied),
  },
  { calls: 'execute', on: /\b[A-Z]\w*\.delete\(\)$/, judge: empties },
  { calls: 'truncate_table', on: something, judge: empties },
  {
    calls: `delete_bucket delete_table delete_stack delete_cluster delete_db_instance delete_db_cluster
      delete_function delete_repository delete_file_system delete_volume delete_snapshot
      delete_hosted_zone delete_queue delete_topic delete_nodegroup delete_vpc terminate_instances
      terminate_job_flows purge_queue schedule_key_deletion`,
    on: something,
    judge: when(
      ({ keywords, receiver }) =>
        keywords.size > 0 ||
        /(?:client|s3|ec2|rds|dynamo|sqs|sns|ecs|eks|lambda|resource|boto)/i.test(receiver),
      cloud,
    ),
  },
  {
    calls: 'delete',
    on: /(?:bucket|\.Bucket\([^)]*\))\.objects(?:\.all\(\))?$/i,
    judge: always(cloud),
  },
  {
    calls: 'prune',
    on: /\b(?:containers|volumes|images|networks)$/,
    judge: always(containers),
  },
  {
    calls: 'remove',
    on: /container/i,
    judge: when(({ keywords }) => keywords.get('force') === true, containers),
  },
]
