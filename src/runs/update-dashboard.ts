import { label } from '../core/domain/identity.ts'
import {
  dashboardMarker,
  dashboardTitle,
  writeDashboard,
} from '../publish/report/write-dashboard.ts'
import type { Seen } from './seen.ts'
import type { Services } from './services.ts'

/** Writes the dashboard where it would say something else than it does; what is refused is only said. */
export async function updateDashboard(
  { overview, standing }: Pick<Seen, 'overview' | 'standing'>,
  { ports }: Pick<Services, 'ports'>,
  say: (sentence: string) => void,
): Promise<void> {
  const { settings, forge } = ports
  const now = await standing()
  const body = writeDashboard(now, settings.roadmap)
  if (now.tasks.length === 0 || overview.dashboard?.body.trim() === body.trim()) return
  const labels = [label.dashboard]
  const written = await forge.upsertIssue({
    marker: dashboardMarker,
    title: dashboardTitle,
    body,
    labels,
    seen: overview.dashboard,
  })
  if (written.status === 'refused') say(`The dashboard was not written: ${written.detail}`)
}
