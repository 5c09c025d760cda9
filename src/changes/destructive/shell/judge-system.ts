import type { Harm } from '../finding.ts'
import { type Call, harm, harmless } from './call.ts'

const stops = 'It stops or restarts the machine.'

/** Commands against the machine itself: power, users, firewall, every process. */
export function judgeSystem(call: Call): readonly Harm[] {
  const why = reason(call)
  return why === null ? harmless : harm('system', why)
}

function reason(call: Call): string | null {
  const { program, words, operands } = call
  switch (program) {
    case 'shutdown':
      return call.has('-c') ? null : stops
    case 'reboot':
    case 'halt':
    case 'poweroff':
      return call.has('--help') ? null : stops
    case 'init':
    case 'telinit':
      return /^[06]$/.test(words[0] ?? '') ? stops : null
    case 'systemctl':
      return operands.some((word) => /^(?:poweroff|reboot|halt|kexec|emergency|rescue)$/.test(word))
        ? stops
        : null
    case 'stop-computer':
    case 'restart-computer':
      return stops
    case 'kill':
      return killsAll(words) ? 'It kills every process it can.' : null
    case 'killall5':
      return 'It kills every process it can.'
    case 'userdel':
    case 'deluser':
    case 'groupdel':
    case 'delgroup':
      return 'It deletes an account of the machine.'
    case 'crontab':
      return call.has('-r') ? 'It deletes every scheduled job of the account.' : null
    case 'iptables':
    case 'ip6tables':
      return call.has('-F', '-X', '--flush', '--delete-chain')
        ? 'It takes the firewall down.'
        : null
    case 'nft':
      return words[0] === 'flush' && words[1] === 'ruleset' ? 'It takes the firewall down.' : null
    case 'ufw':
      return words.some((word) => word === 'reset' || word === 'disable')
        ? 'It takes the firewall down.'
        : null
    case 'reg':
      return /^delete$/i.test(words[0] ?? '') ? 'It deletes keys of the registry.' : null
    case 'bcdedit':
      return words.some((word) => /^\/(?:delete|deletevalue)$/i.test(word))
        ? 'It changes how the machine starts.'
        : null
    default:
      return null
  }
}

/** `-1` as a process, and not as the first word, where it is a signal. */
function killsAll(words: readonly string[]): boolean {
  const isSignal = /^-(?:\d+|[A-Z]+|s|n)$/
  const targets = isSignal.test(words[0] ?? '') || words[0] === '--' ? words.slice(1) : words
  return (
    words.length > 1 &&
    targets.some((word, index) => word === '-1' && (index > 0 || words.length > targets.length))
  )
}
