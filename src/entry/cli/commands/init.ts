import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { excludeFromGit, findRepository } from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import { initFiles } from '../../init/init-files.ts'
import { type WorkflowName, workflowNames } from '../../init/workflow-files.ts'
import type { Terminal } from '../terminal.ts'

/** `executor init`: writes what is not there yet, and says what to do next. */
export async function init(
  flags: {
    readonly model?: string
    readonly baseUrl?: string
    readonly workflow?: string
  },
  terminal: Terminal,
): Promise<number> {
  const repository = await findRepository(terminal.directory)
  const workflow = chooseWorkflow(flags.workflow)
  const files = initFiles({
    model: flags.model ?? null,
    baseUrl: flags.baseUrl ?? null,
    workflow,
  })
  for (const { path, text } of files) {
    const target = join(repository.root, path)
    await mkdir(dirname(target), { recursive: true })
    const written = await writeFile(target, text, { flag: 'wx' }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false
        throw error
      },
    )
    const mark = written ? terminal.paint('green', 'wrote') : terminal.paint('dim', 'kept ')
    terminal.say(`${mark} ${path}`)
  }
  await excludeFromGit(repository, '.executor/')
  terminal.say(`
Next:
  1. Edit ROADMAP.md, then commit: git add -A && git commit -m "Add a roadmap"
  2. executor plan             the tasks in order, and what they would cost
  3. executor run --max-tasks 1
On GitHub: add the secret OPENAI_API_KEY, allow Actions to create pull requests
(Settings → Actions → General), and start the workflow "Roadmap executor".`)
  return 0
}

function chooseWorkflow(asked: string | undefined): WorkflowName {
  const found = workflowNames.find((name) => name === (asked ?? workflowNames[0]))
  if (found !== undefined) return found
  const names = workflowNames.join(', ')
  throw new ExecutorError('bad_usage', `--workflow must be one of ${names}, not ${asked}.`)
}
