import type { FindNested, Harm } from '../finding.ts'
import { harm, harmless, isPlainFile } from '../shell/call.ts'
import { judgeArguments } from '../shell/find-in-shell.ts'
import { type ApiCall, harmsOf, judgeListOrText, judgeProcess } from './script-call.ts'
import { entry, isEntries, isList, textsOf, valueText } from './value.ts'

const files = /^(?:fs|fs\/promises|fs-extra|fs-extra\/esm|graceful-fs|@std\/fs|memfs-not)$/
const everything = 'It deletes folders with everything in them.'
const single = 'It deletes what is only known when it runs.'
const tools = /^(?:rimraf|del|del-cli|fs-remove|rm-rf|remove-folder|empty-dir)$/
const spawners =
  /^(?:child_process|cross-spawn|execa|tinyexec|nano-spawn|@actions\/exec|child-process-promise|spawndamnit|promisify-child-process)$/

/** Functions of modules and of the runtime whose names say where they come from. */
export function judgeModuleCall(call: ApiCall, look: FindNested): readonly Harm[] {
  const { module, name, args } = call
  if (module === null) return harmless
  if (files.test(module)) return judgeFileCall(call)
  if (module === '' && call.path[0] === 'Deno') return judgeDeno(call, look)
  if (module === '' && call.path[0] === 'Bun') {
    return /^spawn(?:Sync)?$/.test(name)
      ? judgeListOrText(isEntries(args[0]) ? entry(args[0], 'cmd') : args[0], look)
      : harmless
  }
  if (tools.test(module))
    return /^(?:dryRun|rimrafPath)$/.test(name) ? harmless : harm('filesystem', everything)
  if (module === '@actions/io' && name === 'rmRF') return harm('filesystem', everything)
  if (module === 'fs-jetpack' && name === 'remove') return harm('filesystem', everything)
  if (module === 'shelljs' || module === 'shelljs/global') return judgeShelljs(call, look)
  if (
    module === '' &&
    call.path.length === 1 &&
    /^(?:execSync|spawnSync|execFileSync|execFile|execaSync|execa|execaCommand|execaCommandSync)$/.test(
      name,
    )
  ) {
    return judgeSpawn(call, look)
  }
  return spawners.test(module) ? judgeSpawn(call, look) : harmless
}

function judgeFileCall({ name, args }: ApiCall): readonly Harm[] {
  const recursive = entry(args[1], 'recursive') === true
  switch (name) {
    case 'rm':
    case 'rmSync':
      return harm(
        'filesystem',
        recursive ||
          (valueText(entry(args[1], 'recursive')) !== 'false' &&
            args.length > 1 &&
            !isEntries(args[1]))
          ? everything
          : 'It deletes files.',
      )
    case 'remove':
    case 'removeSync':
    case 'emptyDir':
    case 'emptyDirSync':
    case 'emptydir':
    case 'emptydirSync':
      return harm('filesystem', everything)
    case 'unlink':
    case 'unlinkSync':
    case 'rmdir':
    case 'rmdirSync':
      if (recursive) return harm('filesystem', everything)
      return isPlainFile(valueText(args[0])) ? harmless : harm('filesystem', single)
    default:
      return harmless
  }
}

function judgeDeno({ path, name, args }: ApiCall, look: FindNested): readonly Harm[] {
  if (name === 'remove' || name === 'removeSync') {
    if (entry(args[1], 'recursive') === true) return harm('filesystem', everything)
    return isPlainFile(valueText(args[0])) ? harmless : harm('filesystem', single)
  }
  if (name === 'run') return judgeListOrText(entry(args[0], 'cmd'), look)
  const isCommand = path.length === 2 && name === 'Command'
  return isCommand ? judgeProcess(args[0], entry(args[1], 'args'), false, look) : harmless
}

function judgeShelljs({ name, args }: ApiCall, look: FindNested): readonly Harm[] {
  if (name === 'rm') return judgeArguments(['rm', ...args.flatMap(textsOf)], look)
  if (name === 'exec') return judgeListOrText(args[0], look)
  return name === 'cmd' ? judgeArguments(args.map(valueText), look) : harmless
}

function judgeSpawn({ name, args, module }: ApiCall, look: FindNested): readonly Harm[] {
  const [command, second, third] = args
  const options = isEntries(third) ? third : second
  const isShell = entry(options, 'shell') === true || typeof entry(options, 'shell') === 'string'
  if (
    /^(?:exec|execSync|execaCommand|execaCommandSync|command|commandSync|execP|execPromise)$/.test(
      name,
    )
  ) {
    const isLine = module !== 'tinyexec' && !isList(second)
    if (isLine) return judgeListOrText(command, look)
  }
  // `exec.exec('rm -rf x')` of a workflow's toolkit takes a line, and arguments as well.
  if (module === '@actions/exec')
    return harmsOf(
      look('shell', [valueText(command), ...textsOf(isList(second) ? second : [])].join(' ')),
    )
  return judgeProcess(command, second, isShell, look)
}
