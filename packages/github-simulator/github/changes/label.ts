import type { Scene } from '../exchange.ts'
import { presentLabel } from '../present/issue.ts'
import type { Issue, Label } from '../records.ts'
import { ensureLabel, sameName } from '../store.ts'
import { noteEvent, tellOfIssue } from './event.ts'

/** Adds missing labels, and creates those that do not exist yet. */
export async function addLabels(
  scene: Scene,
  issue: Issue,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const label = ensureLabel(scene.store, scene.repository, name)
    if (issue.labels.includes(label.name)) continue
    issue.labels = [...issue.labels, label.name]
    await noteLabel(scene, issue, 'labeled', label)
  }
}

/** Removes a label; returns false if it is not set. */
export async function removeLabel(scene: Scene, issue: Issue, name: string): Promise<boolean> {
  const found = issue.labels.find((one) => sameName(one, name))
  if (found === undefined) return false
  issue.labels = issue.labels.filter((one) => one !== found)
  await noteLabel(scene, issue, 'unlabeled', ensureLabel(scene.store, scene.repository, found))
  return true
}

export async function setLabels(
  scene: Scene,
  issue: Issue,
  names: readonly string[],
): Promise<void> {
  for (const name of issue.labels) {
    if (!names.some((one) => sameName(one, name))) await removeLabel(scene, issue, name)
  }
  await addLabels(scene, issue, names)
}

async function noteLabel(
  scene: Scene,
  issue: Issue,
  event: 'labeled' | 'unlabeled',
  label: Label,
): Promise<void> {
  issue.updatedAt = scene.store.now()
  noteEvent(scene, issue, event, { label: label.name })
  await tellOfIssue(scene, issue, event, {
    label: presentLabel(scene.store, scene.repository, label),
  })
}
