import { once } from '../../../text/text.ts'
import { type FindNested, type Harm, isKnown } from '../finding.ts'
import { afterOptions, type Call, callOf, harmless, isPlainFile } from './call.ts'
import { commandRules } from './command-rules.ts'
import { judgeScript } from './script-arguments.ts'

type Condition = (call: Call) => boolean

/** Options before the subcommand that take the next argument, by program. */
const valued: readonly (readonly [programs: RegExp, options: string])[] = [
  [/^git$/, '-C -c --git-dir --work-tree --namespace --exec-path'],
  [/^aws$/, '--profile --region --output --endpoint-url'],
  [/^(?:redis|valkey)-cli$/, '-h -p -s -a -u -n -r -d -D -x --user --pass'],
  [
    /^(?:docker|podman|nerdctl|(?:docker|podman)-compose|kubectl|oc|helm)$/,
    '-f --file -p --project-name -H --host --context -n --namespace --kubeconfig --env-file --profile',
  ],
]

/** System folders: changed rights or owners there break the machine. */
const systemFolder =
  /^(?:\/|~\/?|\/(?:home|opt|srv|root|var|mnt|media|Users)\/?\*?|\/(?:etc|usr|bin|sbin|lib|lib64|boot|dev|sys|proc|System|Library)(?:\/.*)?|\/\*|[A-Za-z]:\\?)$/

/** Conditions that no pattern can express. */
const conditions: Readonly<Record<string, Condition>> = {
  '<unclear>': ({ operands }) => !operands.every(isPlainFile),
  '<system-folder>': ({ operands }) => operands.slice(1).some((path) => systemFolder.test(path)),
  // A variable alone could be any folder.
  '<perhaps-system-folder>': ({ operands }) =>
    operands.slice(1).some((path) => systemFolder.test(path) || !isKnown(path[0] ?? '')),
  // As the first word it is a signal.
  '<every-process>': ({ words }) => words.slice(1).includes('-1'),
}

interface Rule extends Harm {
  readonly program: string
  readonly conditions: readonly Condition[]
}

const rules = once(
  (): ReadonlyMap<string, readonly Rule[]> =>
    Map.groupBy(
      commandRules.flatMap(([category, sentences]) =>
        Object.entries(sentences).flatMap(([why, calls]) =>
          calls
            .trim()
            .split(/\n\s*/)
            .flatMap((line) => rulesOf({ category, why }, line)),
        ),
      ),
      ({ program }) => program,
    ),
)

function rulesOf(harm: Harm, line: string): readonly Rule[] {
  const [programs = '', ...words] = line.split(' ')
  const noDryRun = harm.category === 'cloud' ? ['!--dry-run|--dryrun'] : []
  const conditions = conditionsOf([...words, ...noDryRun])
  return programs.split('|').map((program) => ({ ...harm, program, conditions }))
}

/** Judges one call of a program by its name, without its folder, and its arguments. */
export function judgeCommand(argv: readonly string[], look: FindNested): readonly Harm[] {
  const [program, ...words] = argv
  if (program === undefined || !isKnown(program)) return harmless
  const name = program.toLowerCase()
  const options = valued.find(([programs]) => programs.test(name))?.[1].split(' ')
  const call = callOf(options === undefined ? argv : [program, ...afterOptions(words, options)])
  const named = [name, name.replace(/\..*$/, '.*')].flatMap((each) => rules().get(each) ?? [])
  const harms = new Map<string, Harm>()
  for (const { category, why, conditions } of named) {
    if (!harms.has(category) && conditions.every((holds) => holds(call)))
      harms.set(category, { category, why })
  }
  return [...harms.values(), ...judgeScript(callOf(argv), look)]
}

function conditionsOf(words: readonly string[]): readonly Condition[] {
  let operand = 0
  return words.map((word) => {
    const holds = conditionOf(word.replace(/^!/, ''), () => operand++)
    return word.startsWith('!') ? (call) => !holds(call) : holds
  })
}

function conditionOf(word: string, next: () => number): Condition {
  const named = conditions[word]
  if (named !== undefined) return named
  if (word.startsWith('-')) {
    const [options = '', value] = word.split('=')
    const names = options.split('|')
    if (value === undefined) return (call) => call.has(...names)
    const whole = wholeWord(value)
    return (call) => whole.test(call.value(...names) ?? '')
  }
  const whole = wholeWord(word.replace(/^[…~]/, ''))
  if (word.startsWith('…')) return ({ words }) => words.some((each) => whole.test(each))
  if (word.startsWith('~')) {
    return ({ operands }) => operands.slice(0, 6).some((each) => whole.test(each))
  }
  if (word.endsWith('$')) return ({ operands }) => whole.test(operands.at(-1) ?? '')
  const at = next()
  return ({ operands }) => whole.test(operands[at] ?? '')
}

function wholeWord(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`, 'i')
}
