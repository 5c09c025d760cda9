/** Judges the packages that a model's words would have a person install. */

import { openTree } from '../../../packages/change/change.ts'
import { installOf } from '../../../packages/diagnosis/diagnosis.ts'
import { missingModules, packagesOf } from '../../../packages/judge/judge.ts'
import { isOneEditApart } from '../../../packages/text/text.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { Ports } from '../../core/ports.ts'

export interface KnownPackages {
  /** Names in the task's own words and in those of its failure count. */
  readonly words: string
  /** Packages that the project declares. */
  readonly present: readonly string[]
  /** Packages that provide what was missing, such as `pyyaml` for `yaml`. */
  readonly needed: readonly string[]
}

/** Reads what an attempt's proposals may name. */
export async function knownPackages(
  { task, start, failure }: Pick<Attempt, 'task' | 'start' | 'failure'>,
  { workspace }: Pick<Ports, 'workspace'>,
): Promise<KnownPackages> {
  const told = failure === null ? [] : [failure.message, ...failure.failures, failure.output]
  const tree = await openTree(start.sha, workspace)
  const commands = missingModules(told, tree.paths).flatMap(({ install }) => install ?? [])
  const said = told.map((each) => (typeof each === 'string' ? each : each.message))
  return {
    words: [task.title, task.details, ...said].join('\n'),
    present: await (await packagesOf(tree)).declared(),
    needed: commands.flatMap((command) => command.split(' ').slice(1)),
  }
}

/** In characters; npm allows 214. */
const longestName = 214

/** Why these words may not be shown, as a sentence for their author; `null` when they may. */
export function judgePackages(text: string, known: KnownPackages): string | null {
  for (const written of packagesIn(text)) {
    const why = judgePackage(written, known)
    if (why !== null) return `${JSON.stringify(written.slice(0, longestName))} ${why}`
  }
  return null
}

/** Why this package may not be proposed, as the end of a sentence about it. */
function judgePackage(written: string, { words, present, needed }: KnownPackages): string | null {
  if (isAddress(written)) return 'is an address or a file: only packages of a registry, by name'
  const name = withoutVersion(written)
  if (!isWellFormed(name)) return 'is no name of a package'
  // A program such as `tsc` may come in a package of another name.
  const provider = installOf(name)?.split(' ').at(-1) ?? name
  if (present.includes(name) || present.includes(provider)) return null
  const twin = lookalikeOf(name, present)
  if (twin !== null) return `looks like ${twin}, which the project has`
  if (needed.includes(name) || isNamedIn(name, words)) return null
  return 'is named neither by the task nor by what failed'
}

/** The package of the project that this name resembles without being it. */
export function lookalikeOf(name: string, present: readonly string[]): string | null {
  const plain = folded(name)
  return (
    present.find(
      (each) => each !== name && (folded(each) === plain || isOneEditApart(folded(each), plain)),
    ) ?? null
  )
}

const folded = (name: string): string => name.toLowerCase().replaceAll(/[._-]/g, '')

const isWellFormed = (name: string): boolean =>
  name.length <= longestName && /^(?:@?[a-z0-9][\w.~-]*\/)*[a-z0-9][\w.-]*$/i.test(name)

/** Also npm's `owner/name`, which is fetched from GitHub; Go and Composer have such names. */
const isAddress = (written: string): boolean =>
  /:\/\/|^[\w+]+:|@(?:npm|git|file|link|portal|github|https?|workspace)\b|^[.~/\\]|\\/i.test(
    written,
  ) || /\.(?:t?gz|tgz|tar|zip|whl|git|jar)(?:[#@]|$)/i.test(written)

const withoutVersion = (written: string): string =>
  written.replace(/(?<=.)@[^/]*$/, '').replace(/(?:\[[^\]]*\])?(?:[=<>~!^]=?.*)?$/, '')

function isNamedIn(name: string, words: string): boolean {
  const isPart = (letter: string | undefined) => letter !== undefined && /[\w-]/.test(letter)
  const [text, wanted] = [words.toLowerCase(), name.toLowerCase()]
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (!isPart(text[at - 1]) && !isPart(text[at + wanted.length])) return true
  }
  return false
}

/** Commands that fetch packages, with their arguments. */
const commands =
  /\b(?:(?:npm|pnpm|yarn|bun)[ \t]+(?:install|add|i|dlx|exec|x)|npx|bunx|uvx|(?:pip[\d.]*|pipx|uv[ \t]+pip|gem|brew|conda|apt|apt-get)[ \t]+install|uv[ \t]+add|poetry[ \t]+add|pdm[ \t]+add|pipenv[ \t]+install|cargo[ \t]+(?:add|install)|go[ \t]+(?:get|install)|bundle[ \t]+add|composer[ \t]+require|dotnet[ \t]+add(?:[ \t]+\S+\.\w+proj)?[ \t]+package)[ \t]+([^\n`;&|]{1,400})/gi

const kinds = 'packages?|librar(?:y|ies)|dependenc(?:y|ies)|modules?|gems?|crates?'
const quoted = '[`\'"]([^`\'"\\s]{1,300})[`\'"]'

/** Sentences that ask for one; the first two may also speak of a file of the project. */
const sentences: readonly RegExp[] = [
  new RegExp(`${quoted}\\s+(?:npm |python |ruby |external )?(?:${kinds})\\b`, 'gi'),
  new RegExp(`\\b(?:${kinds})\\s*:?\\s+(?:named |called )?${quoted}`, 'gi'),
  new RegExp(`\\b(?:install|depend(?:s|ing)? on)\\s+(?:the\\s+)?${quoted}`, 'gi'),
  new RegExp(
    `\\badd\\s+(?:the\\s+)?${quoted}\\s+(?:as|to)\\s+[^.\\n]{0,40}(?:${kinds}|package\\.json|requirements)`,
    'gi',
  ),
  /\b(?:install|add|use|require)\s+(?:the\s+)?([\w@][\w./@~-]{0,300})\s+(?:npm |python |ruby )?(?:package|library|gem|crate)\b/gi,
]

/** Packages that a text would have someone install, as they are written there. */
function packagesIn(text: string): readonly string[] {
  const typed = [...text.matchAll(commands)].flatMap(([all, list = ''], at, found) =>
    wordsOf(
      list,
      isQuoted(text, found[at]?.index ?? 0),
      /^(?:npx|bunx|uvx)\b|\b(?:dlx|exec|x)\b/i.test(all),
    ),
  )
  const told = sentences.flatMap((pattern, at) =>
    [...text.matchAll(pattern)].flatMap(([all, name = '']) => {
      const isFile = /\bmodules?\b/i.test(all) && sourceFile.test(name)
      return isFile || (at < 2 && /^[.~/]/.test(name)) ? [] : name
    }),
  )
  return [...new Set([...typed, ...told.filter(isLikeName)])]
}

const sourceFile = /\.(?:[cm]?[jt]sx?|py|rb|go|rs|php)$/

const isQuoted = (text: string, at: number): boolean =>
  (text.slice(0, at).split('`').length - 1) % 2 === 1

/** A command in prose names one package; one in back-ticks all that follow it. */
function wordsOf(list: string, isWhole: boolean, runsOne: boolean): readonly string[] {
  const words = list
    .split(/\s+/)
    .map((word) => word.replace(/^["'(]+|["',.)]+$/g, ''))
    .filter((word) => word !== '' && !word.startsWith('-'))
  return isWhole && !runsOne ? words : words.slice(0, 1).filter((word) => !prose.test(word))
}

const prose =
  /^(?:and|or|to|the|a|an|in|on|for|it|them|all|first|again|with|from|is|was|should|fails?|dependencies|packages)$/i

/** A command, a call or a manifest in quotes is no package. */
const isLikeName = (name: string): boolean =>
  isAddress(name) ||
  !(/[(){}<>=*$]/.test(name) || /\.(?:json|toml|md|txt)$/.test(name) || prose.test(name))
