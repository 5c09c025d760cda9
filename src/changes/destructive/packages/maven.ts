import { tags, type XmlTag, xmlTextAt } from '../../../text/source/xml.ts'
import type { Finding } from '../finding.ts'
import {
  elsewhere,
  isInsideRepository,
  leadsOut,
  program,
  type Setting,
  settings,
} from './judges.ts'
import { isKnownSource } from './sources.ts'

interface Node {
  readonly name: string
  readonly path: string
  readonly start: number
  /** Of what is inside. */
  readonly from: number
  readonly to: number
  readonly end: number
  readonly children: readonly Node[]
}

type Judge = (node: Node, text: string, setting: Setting) => Finding | null

/** What of a plugin changes nothing about what it does, where it is one of Maven's own. */
const plain = new Set(['groupId', 'artifactId', 'version', 'inherited'])
const mavenGroup = 'org.apache.maven.plugins'

/** By the end of the path; each plugin and extension by itself, with all that it is told to do. */
const rules: readonly (readonly [path: RegExp, judge: Judge])[] = [
  [/\/(?:repositories\/repository|pluginRepositories\/pluginRepository)$/, judgeRepository],
  [/\/(?:modules\/module|parent\/relativePath)$/, judgePath],
  [/\/systemPath$/, (node, text) => finding(node, text, elsewhere)],
  [/\/plugins\/plugin$/, judgePlugin],
  [/\/extensions\/extension$/, (node, text) => finding(node, text, program)],
  [
    /\/(?:RestoreSources|RestoreAdditionalProjectSources|RestoreConfigFile)$/,
    (node, text) => finding(node, text, settings),
  ],
]

/** What in a `pom.xml`, or a project file of .NET, needs a person's word. */
export function findInProjectXml(text: string, setting: Setting): readonly Finding[] {
  const doctype = text.indexOf('<!DOCTYPE')
  // Entities of its own would say something else than what stands there.
  const found: Finding[] =
    doctype < 0
      ? []
      : [{ start: doctype, end: doctype + 9, category: 'packages', why: program, meaning: text }]
  for (const node of nodesOf(text)) {
    const judge = rules.find(([path]) => path.test(node.path))?.[1]
    const each = judge?.(node, text, setting) ?? null
    if (each !== null) found.push(each)
  }
  return found
}

function judgeRepository(node: Node, text: string, { known }: Setting): Finding | null {
  const url = childOf(node, 'url')
  const isKnown = url !== undefined && isKnownSource(xmlTextAt(text, url.from), known)
  return isKnown ? null : finding(node, text, settings, url)
}

function judgePath(node: Node, text: string, { directory }: Setting): Finding | null {
  return isInsideRepository(xmlTextAt(text, node.from).trim(), directory)
    ? null
    : finding(node, text, leadsOut)
}

function judgePlugin(node: Node, text: string): Finding | null {
  const group = childOf(node, 'groupId')
  const isMavens = group === undefined || xmlTextAt(text, group.from).trim() === mavenGroup
  if (isMavens && node.children.every(({ name }) => plain.has(name))) return null
  return finding(node, text, program, childOf(node, 'artifactId'))
}

/** Versions may change: the rest of the element, without its spaces, names what is approved. */
function finding(node: Node, text: string, why: string, shownAt: Node = node): Finding {
  const version = childOf(node, 'version')
  const within =
    version === undefined
      ? text.slice(node.from, node.to)
      : text.slice(node.from, version.start) + text.slice(version.end, node.to)
  const meaning = within.replace(/\s+/g, ' ').trim()
  const name = text.slice(shownAt.from, shownAt.to).replace(/\s+/g, ' ').trim()
  const shown = `${node.name} ${name}`
  return { start: shownAt.start, end: shownAt.end, category: 'packages', why, meaning, shown }
}

const childOf = ({ children }: Node, name: string): Node | undefined =>
  children.find((child) => child.name === name)

const deepest = 100

/** Every element with an end, outer ones after those inside them. */
function* nodesOf(text: string): Generator<Node> {
  const open: { readonly tag: XmlTag; readonly path: string; readonly children: Node[] }[] = []
  for (const tag of tags(text)) {
    if (open.length > deepest) return
    if (tag.kind === 'end') {
      const last = open.findLastIndex((each) => each.tag.name === tag.name)
      if (last < 0) continue
      const [top] = open.splice(last)
      if (top === undefined) continue
      const { name, start, end: from } = top.tag
      const node = { ...top, name, start, from, to: tag.start, end: tag.end }
      open.at(-1)?.children.push(node)
      yield node
      continue
    }
    const path = `${open.at(-1)?.path ?? ''}/${tag.name}`
    if (tag.kind === 'start') open.push({ tag, path, children: [] })
  }
}
