import { type ChangeSet, contentAfter } from '../../../packages/change/change.ts'
import { createDataMask, maskKeys } from '../../../packages/text/text.ts'
import { type Workspace, workspaceReads } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import {
  type Masks,
  maskArguments,
  masksOf,
  redactForge,
  redactReport,
  redactStore,
} from './redact-ports.ts'

/**
 * Redacts every text that leaves the program: masks the arguments of all methods except those listed here, whose
 * arguments stay inside. Code is not masked, since that would break the file: a change that adds a secret of this run
 * is refused.
 */
export function redactOutgoing(ports: Ports, secrets: readonly string[]): Ports {
  const masks = masksOf(secrets)
  const { redact, secret, data: mask } = masks
  const { forge, workspace, store, memory, model, person, sandbox } = ports
  return {
    ...ports,
    model: {
      ...maskArguments(model, mask),
      complete: (request) =>
        model.complete({
          ...request,
          messages: request.messages.map((message) => ({
            ...message,
            content: maskKeys(secret(message.content)),
          })),
        }),
    },
    forge: redactForge(forge, masks),
    workspace: redactWorkspace(workspace, masks, reachOf(secrets)),
    // Commands come from the repository; their output is redacted where it is read.
    sandbox: maskArguments(sandbox, mask, [
      ...(['ability', 'has', 'dependencyCache', 'completeCache', 'installed'] as const),
    ]),
    store: {
      ...redactStore(maskArguments(store, mask, ['save', 'record']), secrets),
      writeReport: (name, text) => store.writeReport(mask(name), redactReport(name, text, redact)),
    },
    memory: {
      ...maskArguments(memory, mask),
      // A masked command would not be a fix, so it is not learned.
      learn: async (outcome) => {
        const texts = [outcome.fix, outcome.signature]
        if (texts.every((text) => redact(text) === text)) await memory.learn(outcome)
      },
    },
    person: maskArguments(person, createDataMask(redact)),
  }
}

function redactWorkspace(
  workspace: Workspace,
  { redact, secret: maskSecrets, data: mask }: Masks,
  reach: number,
): Workspace {
  return {
    ...maskArguments(workspace, mask, [...workspaceReads, 'refresh', 'history']),
    async write(folder, changes) {
      const path = bringsSecret(changes, maskSecrets, reach)
      if (path === null) return workspace.write(folder, changes)
      return {
        status: 'refused',
        path: maskSecrets(path),
        reason: 'it would contain a secret of this run',
      }
    },
    commit: async (request) => {
      const path = bringsSecret(request.changes, maskSecrets, reach)
      if (path !== null) throw new Error(`${maskSecrets(path)} would contain a secret of this run.`)
      return workspace.commit({ ...request, message: redact(request.message) })
    },
    // A change with a secret could never be written: its masked form is refused the same way.
    park: (name, text) =>
      workspace.park(mask(name), text === null ? null : maskParked(text, maskSecrets)),
    revert: (request) => workspace.revert({ ...request, message: redact(request.message) }),
    async merge(request) {
      const path = await mergesSecret(request, workspace, maskSecrets)
      if (path !== null) throw new Error(`${maskSecrets(path)} would contain a secret of this run.`)
      return workspace.merge({ ...request, message: redact(request.message) })
    },
  }
}

/** The first path with a secret in its name, or in its new text but not in its old one. */
function bringsSecret(
  changes: ChangeSet,
  maskSecrets: (text: string) => string,
  reach: number,
): string | null {
  const hasSecret = (text: string) => maskSecrets(text) !== text
  const found = changes.find((change) => {
    const before = change.action === 'create' ? '' : change.before
    const after = changedPart(before, contentAfter(change) ?? '', reach)
    const brings = hasSecret(after) && !hasSecret(before)
    return brings || (change.action === 'create' && hasSecret(change.path))
  })
  return found?.path ?? null
}

/** The most characters that one of these secrets takes when escaped or spread over lines. */
const reachOf = (secrets: readonly string[]): number =>
  Math.max(20_000, ...secrets.map((secret) => 16 * secret.length))

const chunk = 4_096

/** The part of a text that differs from the previous one, with `reach` characters on each side. */
function changedPart(before: string, after: string, reach: number): string {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head + chunk <= shorter && after.startsWith(before.slice(head, head + chunk), head)) {
    head += chunk
  }
  let tail = 0
  while (head + tail + chunk <= shorter) {
    const end = before.length - tail
    if (!after.endsWith(before.slice(end - chunk, end), after.length - tail)) break
    tail += chunk
  }
  return after.slice(Math.max(0, head - reach), after.length - tail + reach)
}

/** The same check for the resolved texts of a merge. */
async function mergesSecret(
  { ours, theirs, resolve }: Parameters<Workspace['merge']>[0],
  workspace: Workspace,
  maskSecrets: (text: string) => string,
): Promise<string | null> {
  for (const [path, text] of resolve) {
    if (maskSecrets(text) === text) continue
    const sides = await Promise.all([ours, theirs].map((sha) => workspace.readFiles(sha, [path])))
    const isThere = sides.some((files) => {
      const side = files.get(path) ?? ''
      return maskSecrets(side) !== side
    })
    if (!isThere) return path
  }
  return null
}

/** Masks each string of a saved attempt by itself, so that the JSON stays valid. */
function maskParked(text: string, mask: (text: string) => string): string {
  if (mask(text) === text) return text
  try {
    return JSON.stringify(createDataMask(mask)(JSON.parse(text)))
  } catch {
    return mask(text)
  }
}
