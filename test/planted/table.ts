import { agents } from './agents.ts'
import { checks } from './checks.ts'
import { endpoints } from './endpoints.ts'
import { events } from './events.ts'
import type { Finding } from './finding.ts'
import { groups } from './groups.ts'
import { lanes } from './lanes.ts'
import { loops } from './loops.ts'
import { memory } from './memory.ts'
import { queue } from './queue.ts'
import { routes } from './routes.ts'
import { security } from './security.ts'
import { trials } from './trials.ts'
import { verdicts } from './verdicts.ts'
import { weakModels } from './weak-models.ts'
import { wildAnswers } from './wild-answers.ts'
import { wildRepositories } from './wild-repositories.ts'
import { wildRoadmaps } from './wild-roadmaps.ts'
import { workspaces } from './workspaces.ts'
import { writers } from './writers.ts'

export const findings: readonly Finding[] = [
  ...security,
  ...verdicts,
  ...loops,
  ...routes,
  ...memory,
  ...trials,
  ...groups,
  ...lanes,
  ...writers,
  ...checks,
  ...events,
  ...agents,
  ...endpoints,
  ...workspaces,
  ...queue,
  ...weakModels,
  ...wildAnswers,
  ...wildRepositories,
  ...wildRoadmaps,
]
