import type { Harm } from '../finding.ts'
import { type Call, callOf, harm, harmless } from './call.ts'

/** Containers, their volumes, and what runs in a cluster. */
export function judgeContainers(call: Call): readonly Harm[] {
  const { program, words } = call
  switch (program) {
    case 'docker':
    case 'podman':
    case 'nerdctl':
    case 'docker-compose':
    case 'podman-compose':
      return judgeDocker(call)
    case 'kubectl':
    case 'oc':
      return judgeCluster(call)
    case 'helm':
      return withoutOptions(words).some(
        (word, index) => index === 0 && /^(?:uninstall|delete|del|un)$/.test(word),
      ) && !call.has('--dry-run')
        ? harm('containers', 'It removes a release and everything that runs in it.')
        : harmless
    case 'kind':
    case 'minikube':
    case 'k3d':
    case 'eksctl':
    case 'kops':
      return words.includes('delete') ? harm('containers', 'It deletes a cluster.') : harmless
    case 'velero':
    case 'argocd':
    case 'flux':
      return words.includes('delete') || words.includes('uninstall')
        ? harm('containers', 'It deletes what a cluster runs.')
        : harmless
    case 'skaffold':
    case 'tilt':
      return words[0] === 'delete' || (program === 'tilt' && words[0] === 'down')
        ? harm('containers', 'It deletes what a cluster runs.')
        : harmless
    default:
      return harmless
  }
}

const valued = new Set([
  '-f',
  '--file',
  '-p',
  '--project-name',
  '-H',
  '--host',
  '--context',
  '-n',
  '--namespace',
  '--kubeconfig',
  '--env-file',
  '--profile',
])

/** The words from the subcommand on. */
function withoutOptions(words: readonly string[]): readonly string[] {
  let at = 0
  while (at < words.length && /^-./.test(words[at] ?? '')) at += valued.has(words[at] ?? '') ? 2 : 1
  return words.slice(at)
}

function judgeDocker({ program, words }: Call): readonly Harm[] {
  const rest = withoutOptions(words)
  const isCompose = program.endsWith('compose') || rest[0] === 'compose'
  if (isCompose) {
    const compose = callOf(withoutOptions(rest[0] === 'compose' ? rest.slice(1) : rest))
    const removes =
      (compose.program === 'down' && compose.has('-v', '--volumes', '--rmi')) ||
      (compose.program === 'rm' && compose.has('-v', '-f', '--force'))
    return removes
      ? harm('containers', 'It deletes containers with their volumes or images.')
      : harmless
  }
  const [group = '', action = ''] = rest
  const call = callOf(rest)
  const removes =
    (action === 'prune' &&
      /^(?:system|volume|container|image|network|builder|buildx)$/.test(group)) ||
    (group === 'volume' && /^(?:rm|remove)$/.test(action)) ||
    (/^(?:rm|rmi)$/.test(group) && call.has('-f', '-v', '--force', '--volumes')) ||
    (/^(?:container|image)$/.test(group) &&
      /^(?:rm|remove)$/.test(action) &&
      call.has('-f', '-v', '--force', '--volumes')) ||
    (group === 'stack' && /^(?:rm|remove|down)$/.test(action)) ||
    (/^(?:service|secret|config)$/.test(group) && /^(?:rm|remove)$/.test(action)) ||
    (group === 'swarm' && action === 'leave' && call.has('-f', '--force'))
  return removes ? harm('containers', 'It deletes containers, images or volumes.') : harmless
}

function judgeCluster({ words }: Call): readonly Harm[] {
  const call = callOf(withoutOptions(words))
  const dry = words.some((word) => /^--dry-run(?:=(?:client|server|true))?$/.test(word))
  if (dry) return harmless
  const removes =
    call.program === 'delete' ||
    call.program === 'drain' ||
    (call.program === 'replace' && call.has('--force')) ||
    (call.program === 'apply' && call.has('--prune'))
  return removes ? harm('containers', 'It deletes what a cluster runs.') : harmless
}
