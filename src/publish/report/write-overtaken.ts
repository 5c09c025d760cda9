/**
 * Tells people that their commit and our finished one met on a branch: both changes in short, a preview of the
 * merge, and the commands. All names, titles, paths and lines come from other people's commits.
 */

import {
  countOf,
  fenced,
  inlineCode,
  nameSome,
  neutraliseCode,
  neutraliseLine,
  paragraphs,
  withoutControls,
  writeList,
} from '../../../packages/text/text.ts'
import type { ChangedFile, Overtaken, Side } from '../../core/domain/overtaken.ts'

/** The comment and the part of a report, as Markdown. */
export function writeOvertaken(overtaken: Overtaken): string {
  const { hunk } = overtaken
  return paragraphs([
    `**Two changes met on ${inlineCode(overtaken.branch)}.** ${happened(overtaken)}`,
    ...(['theirs', 'ours'] as const).map((name) => {
      const side = overtaken[name]
      const lines = [...side.commits.map(commitItem), ...listFiles(side, inlineCode)]
      return side.sha === null ? '' : `${headOf(name, side)}\n${writeList([...lines])}`
    }),
    `**Merging them:** ${previewOf(overtaken, inlineCode)}.`,
    hunk === undefined ? '' : fenced(neutraliseCode(hunk.text), 'diff'),
    ...commandsFor(overtaken).map(([what, lines]) => `${what}:\n${fenced(lines.join('\n'), 'sh')}`),
    redo(overtaken),
  ])
}

/** The same as lines of plain text, for a terminal and a page without Markdown. */
export function describeOvertaken(overtaken: Overtaken): readonly string[] {
  const { hunk } = overtaken
  const sides = (['theirs', 'ours'] as const).flatMap((name) => {
    const { sha, ...side } = overtaken[name]
    if (sha === null) return []
    const commits = side.commits.map(
      (each) => `${each.sha.slice(0, 7)} ${each.title} (${each.author})`,
    )
    return [
      `${name} ${sha.slice(0, 7)}: ${sizeOf(side)}`,
      ...[...commits, ...listFiles(side, String)].map(indent),
    ]
  })
  const lines = [
    `Two changes met on ${overtaken.branch}. ${happened(overtaken).replaceAll('`', '')}`,
    ...sides,
    `merging them: ${previewOf(overtaken, String)}`,
    ...(hunk === undefined ? [] : hunk.text.split('\n').map(indent)),
    ...commandsFor(overtaken).flatMap(([what, commands]) => [`${what}:`, ...commands.map(indent)]),
    redo(overtaken).replaceAll('`', ''),
  ]
  return lines.map((line) => withoutControls(line).replaceAll('\n', ' '))
}

const indent = (line: string): string => `  ${line}`

const happened = ({ theirs, ref }: Overtaken): string =>
  theirs.sha === null
    ? `Someone deleted the branch while the executor worked on it. Its commit is kept at \`${ref}\`.`
    : `Someone else pushed while the executor worked, so it pushed nothing: their commit stays on the branch, and ours is kept at \`${ref}\`.`

const commitItem = ({ sha, title, author }: Side['commits'][number]): string =>
  `\`${sha.slice(0, 7)}\` ${neutraliseLine(title).replaceAll('`', "'")} (${neutraliseLine(author).replaceAll('`', "'")})`

const headOf = (name: 'ours' | 'theirs', side: Side): string =>
  `**${name === 'ours' ? 'Ours' : 'Theirs'}**, \`${(side.sha ?? '').slice(0, 7)}\`: ${sizeOf(side)}`

/** `2 commits, +12 −3 in 2 files` */
function sizeOf({ commits, moreCommits, files, moreFiles }: Omit<Side, 'sha'>): string {
  const of = (key: 'added' | 'removed') => files.reduce((all, each) => all + (each[key] ?? 0), 0)
  const lines =
    files.length === 0
      ? ''
      : `, ${moreFiles > 0 ? 'at least ' : ''}+${of('added')} −${of('removed')} in `
  const count = files.length === 0 ? '' : countOf(files.length + moreFiles, 'file')
  return `${countOf(commits.length + moreCommits, 'commit')}${lines}${count}`
}

function listFiles(
  { files, moreFiles, moreCommits }: Omit<Side, 'sha'>,
  code: (text: string) => string,
): readonly string[] {
  return [
    ...(moreCommits > 0 ? [`and ${countOf(moreCommits, 'earlier commit')}`] : []),
    ...files.map((file) => fileItem(file, code)),
    ...(moreFiles > 0 ? [`and ${countOf(moreFiles, 'more file')}`] : []),
  ]
}

function fileItem(
  { path, from, added, removed }: ChangedFile,
  code: (text: string) => string,
): string {
  const lines = added === null || removed === null ? 'binary' : `+${added} −${removed}`
  return `${from === path ? '' : `${code(from)} → `}${code(path)} ${lines}`
}

const mostPaths = 10

function previewOf({ merge, conflicts }: Overtaken, code: (text: string) => string): string {
  switch (merge) {
    case 'clean':
      return 'git merges them without a conflict'
    case 'conflict':
      return `they conflict in ${nameSome(conflicts.map(code), mostPaths)}`
    case 'unrelated':
      return 'the two have no common history, so git cannot merge them'
    case 'deleted':
      return 'there is nothing to merge with'
  }
}

type Commands = readonly (readonly [what: string, lines: readonly string[]])[]

/** A person types these: they hold our own names, and full names of commits. */
function commandsFor(overtaken: Overtaken): Commands {
  const { forge, branch, ref, theirs } = overtaken
  const [ours, other] = [overtaken.ours.sha ?? '', theirs.sha]
  const isLocal = forge === 'local'
  const target = isLocal ? ref : ours
  const show = isLocal ? `git show ${ref}` : `git show ${ours.slice(0, 12)}`
  const get = isLocal ? [] : [`git fetch origin ${other === null ? '' : `${branch} `}${ref}`]
  const look = ['See ours', [...get, show]] as const
  const forget = isLocal ? `git update-ref -d ${ref}` : `git push origin --delete ${ref}`
  if (other === null) {
    const restore = isLocal
      ? `git branch ${branch} ${ref}`
      : `git push origin ${ours}:refs/heads/${branch}`
    return [look, ['Take ours (this makes the branch again)', [restore]], ['Drop ours', [forget]]]
  }
  const begin = isLocal ? `git switch ${branch}` : `git switch --detach ${other}`
  const push = isLocal ? [] : [`git push origin HEAD:${branch}`]
  const pick = pickCommand(overtaken, target)
  const take = isLocal
    ? [begin, `git reset --keep ${ref}`]
    : [`git push --force-with-lease=${branch}:${other} origin ${ours}:refs/heads/${branch}`]
  const merged = ['Take both, by a merge', [begin, `git merge ${target}`, ...push]] as const
  const both: Commands = [
    ...(overtaken.merge === 'unrelated' ? [] : [merged]),
    ...(pick === null
      ? []
      : [['Take both, ours rebased onto theirs', [begin, pick, ...push]] as const]),
  ]
  return [
    look,
    ...both,
    ['Take only theirs (this forgets ours)', [forget]],
    ['Take only ours (this drops theirs from the branch)', take],
  ]
}

/** `null` where git cannot pick: several commits, the first of which is a merge. */
function pickCommand({ picks, mainline }: Overtaken, target: string): string | null {
  if (picks > 1) return mainline > 0 ? null : `git cherry-pick ${target}~${picks}..${target}`
  return `git cherry-pick ${mainline > 0 ? `-m ${mainline} ` : ''}${target}`
}

/** What to ask the executor for instead. */
const redo = ({ task, theirs, forge }: Overtaken): string => {
  const where = theirs.sha === null ? '' : ' on top of theirs'
  return forge === 'local'
    ? `\`executor run --task ${task}\` does the task again${where}.`
    : `\`/retry\` does the task again${where}.`
}
