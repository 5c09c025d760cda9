import type { SandboxKind } from '../../port.ts'
import { playCleanUp } from './clean-up.ts'
import { playLentFolders } from './lent-folders.ts'
import { type Language, languageNames, languagesOn } from './moves.ts'
import { playProbes } from './probes.ts'
import { openStage } from './stage.ts'
import { playDaemons, playLimits, smallLimits } from './staying.ts'
import type { Played } from './tally.ts'

const byLanguage = [playLentFolders, playCleanUp, playProbes, playDaemons] as const

/** Every attack in one kind of sandbox, in these languages as far as the machine has them. */
export async function playAll(
  kind: SandboxKind,
  wanted: readonly Language[] = languageNames,
): Promise<readonly Played[]> {
  await using stage = await openStage(kind)
  await using small = await openStage(kind, smallLimits)
  const waiting = playLimits(small)
  const played: Played[] = []
  for (const language of languagesOn(stage.path).filter((each) => wanted.includes(each))) {
    for (const play of byLanguage) played.push(...(await play(stage, language)))
  }
  return [...played, ...(await waiting)]
}
