import { playCleanUp } from './clean-up.ts'
import { playLentFolders } from './lent-folders.ts'
import type { Language } from './moves.ts'
import type { Taken } from './planted.ts'
import { playProbes } from './probes.ts'
import { openStage, type Stage } from './stage.ts'
import { playDaemons, playLimits, smallLimits } from './staying.ts'
import type { Played } from './tally.ts'

type Play = (stage: Stage, language: Language) => Promise<readonly Played[]>

const plays: Readonly<Record<Exclude<Taken['play'], 'limits'>, Play>> = {
  'lent folders': playLentFolders,
  'clean-up': playCleanUp,
  probes: playProbes,
  daemons: playDaemons,
}

/** The attacks of one group, in one language. */
export async function playGroup({ kind, play, only }: Taken): Promise<readonly Played[]> {
  await using stage = await openStage(kind, play === 'limits' ? smallLimits : {})
  // The stage stays as long as it is played on.
  return await (play === 'limits' ? playLimits(stage, only, 12) : plays[play](stage, 'Python'))
}
