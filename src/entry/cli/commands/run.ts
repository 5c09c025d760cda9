import { findRepository, hasChanges } from '../../../adapters/user-checkout.ts'
import { catalogue, ExecutorError } from '../../../core/domain/errors.ts'
import { loadSettings } from '../load-settings.ts'
import type { RunFlags } from '../run-here.ts'
import type { Terminal } from '../terminal.ts'

export async function run(flags: RunFlags, terminal: Terminal): Promise<number> {
  if (flags.fresh && flags.resume) {
    throw new ExecutorError('bad_usage', '--fresh and --resume contradict each other.')
  }
  const looked = Promise.all([findRepository(terminal.directory), hasChanges(terminal.directory)])
  // Most of the program loads while git works; loading blocks, so git starts first.
  const program = import('../run-here.ts')
  const [repository, dirty] = await looked
  const settings = await loadSettings(repository.root, { ...flags }, terminal)
  if (!settings.enabled) {
    terminal.say(catalogue.switched_off.what(''))
    return 0
  }
  if (dirty) {
    terminal.say('note: uncommitted changes are not seen; the run works from the last commit.')
  }
  const { runHere } = await program
  return runHere({ repository, settings }, flags, terminal)
}
