import type { Harm } from '../finding.ts'
import { type Call, harm, harmless } from './call.ts'

const destroys = 'It deletes something that runs or is stored in a cloud.'

/** By program: whether this call deletes. Words are those without leading dashes, in order. */
const rules: ReadonlyMap<string, (words: readonly string[], call: Call) => boolean> = new Map<
  string,
  (words: readonly string[], call: Call) => boolean
>([
  ['terraform', destroysPlan],
  ['tofu', destroysPlan],
  ['terragrunt', destroysPlan],
  [
    'pulumi',
    ([first, second]) =>
      first === 'destroy' ||
      (first === 'stack' && second === 'rm') ||
      (first === 'state' && second === 'delete'),
  ],
  ['cdk', ([first]) => first === 'destroy'],
  ['cdktf', ([first]) => first === 'destroy'],
  ['sst', ([first]) => first === 'remove'],
  ['sam', ([first]) => first === 'delete'],
  ['serverless', ([first]) => first === 'remove'],
  ['sls', ([first]) => first === 'remove'],
  ['aws', deletesOnAws],
  [
    'gcloud',
    (words) =>
      words.slice(0, 6).some((word) => /^(?:delete|purge|delete-.*)$/.test(word)) &&
      !/^config/.test(words[0] ?? ''),
  ],
  [
    'gsutil',
    (words, call) =>
      words.includes('rb') ||
      (words.includes('rm') &&
        (call.has('-r', '-R') || words.some((word) => word.includes('*')))) ||
      (words.includes('rsync') && call.has('-d')),
  ],
  ['bq', ([first]) => first === 'rm'],
  [
    'az',
    (words) => words.slice(0, 6).some((word) => /^(?:delete|purge|delete-batch|wipe)$/.test(word)),
  ],
  ['doctl', (words) => words.slice(0, 5).some((word) => word === 'delete' || word === 'destroy')],
  ['linode-cli', (words) => words.some((word) => /^(?:delete|rm)$/.test(word))],
  ['hcloud', (words) => words[1] === 'delete'],
  ['ibmcloud', (words) => words.slice(0, 5).some((word) => /(?:^|-)(?:delete|rm)$/.test(word))],
  [
    'oci',
    (words) => words.slice(0, 6).some((word) => /^(?:delete|terminate|bulk-delete)$/.test(word)),
  ],
  [
    'heroku',
    ([first = '']) =>
      /^(?:apps|addons|domains|pipelines|config):(?:destroy|remove|delete)$/.test(first),
  ],
  ['fly', deletesOnFly],
  ['flyctl', deletesOnFly],
  ['vercel', ([first]) => first === 'rm' || first === 'remove'],
  ['netlify', ([first = '']) => /:delete$/.test(first)],
  ['firebase', ([first = '']) => /:(?:delete|disable|remove)$/.test(first)],
  ['wrangler', (words) => words.slice(0, 3).some((word) => word === 'delete')],
  ['railway', ([first]) => first === 'down' || first === 'delete'],
  ['eb', ([first]) => first === 'terminate'],
  ['copilot', (words) => words[1] === 'delete'],
  ['amplify', ([first]) => first === 'delete'],
  ['supabase', (words) => words[1] === 'delete'],
  ['turso', (words) => words[1] === 'destroy'],
  ['pscale', (words) => words[1] === 'delete'],
  ['neonctl', (words) => words[1] === 'delete'],
  ['rclone', ([first = '']) => /^(?:purge|delete|deletefile|sync|rmdirs)$/.test(first)],
  [
    's3cmd',
    (words, call) =>
      words[0] === 'rb' ||
      (/^(?:del|rm)$/.test(words[0] ?? '') && call.has('-r', '--recursive')) ||
      call.has('--delete-removed'),
  ],
  [
    'mc',
    (words, call) => words[0] === 'rb' || (words[0] === 'rm' && call.has('-r', '--recursive')),
  ],
  ['azcopy', ([first]) => first === 'remove' || first === 'rm'],
  [
    'vault',
    ([first, second]) =>
      first === 'delete' || (first === 'kv' && /^(?:delete|destroy|metadata)$/.test(second ?? '')),
  ],
  ['consul', (words) => words[0] === 'kv' && words[1] === 'delete'],
  [
    'nomad',
    ([first, second]) =>
      (first === 'job' && second === 'stop') || (first === 'system' && second === 'gc'),
  ],
  ['vagrant', ([first]) => first === 'destroy'],
  ['packer', () => false],
  ['npm', ([first]) => first === 'unpublish'],
  ['pnpm', ([first]) => first === 'unpublish'],
  [
    'yarn',
    ([first, second]) => first === 'unpublish' || (first === 'npm' && second === 'unpublish'),
  ],
  ['cargo', ([first]) => first === 'yank'],
  ['gem', ([first]) => first === 'yank'],
  ['dotnet', ([first, second]) => first === 'nuget' && second === 'delete'],
  ['nuget', ([first]) => first === 'delete'],
])

export function judgeCloud(call: Call): readonly Harm[] {
  if (call.has('--dry-run', '--dryrun')) return harmless
  const words = call.words.filter((word) => !/^-/.test(word))
  if (!rules.get(call.program)?.(words, call)) return harmless
  const isRegistry = /^(?:npm|pnpm|yarn|cargo|gem|dotnet|nuget)$/.test(call.program)
  return harm('cloud', isRegistry ? 'It takes a published package away from everybody.' : destroys)
}

function destroysPlan(words: readonly string[], call: Call): boolean {
  const [first, second] = words.filter((word) => word !== 'run-all' && word !== 'run')
  return (
    first === 'destroy' ||
    (first === 'apply' && call.words.some((word) => /^--?destroy(?:=true)?$/.test(word))) ||
    (first === 'state' && second === 'rm') ||
    (first === 'workspace' && second === 'delete')
  )
}

function deletesOnAws(words: readonly string[], call: Call): boolean {
  const at = words.findIndex((word) => /^(?:s3|s3api|[a-z0-9-]+)$/.test(word))
  const service = words[at]
  const action = words[at + 1] ?? ''
  if (service === 's3') {
    return (
      action === 'rb' ||
      (action === 'rm' && call.has('--recursive')) ||
      (action === 'sync' && call.has('--delete'))
    )
  }
  return words
    .slice(1, 4)
    .some((word) =>
      /^(?:(?:batch-)?delete(?:-.+)?|terminate-.+|purge-.+|deregister-.+|schedule-key-deletion|release-address|reset-.+)$/.test(
        word,
      ),
    )
}

function deletesOnFly(words: readonly string[]): boolean {
  return words[0] === 'destroy' || words[1] === 'destroy' || words[1] === 'delete'
}
