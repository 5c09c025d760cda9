import { openPullMetrics } from '../../adapters/telemetry/pull-metrics.ts'
import type { Telemetry } from '../../adapters/telemetry/signals.ts'
import { wantedSignals } from '../../adapters/telemetry.ts'
import type { JobCounts, JobResult } from '../../core/ports/job-queue.ts'
import { version } from '../version.ts'

export type WebhookResult = 'queued' | 'known' | 'ignored' | 'refused' | 'failed'

/** What this process counted since it started, for Prometheus and for who else receives it. */
export interface Metrics {
  /** `event` is GitHub's name, or empty where nobody has vouched for it. */
  webhook(event: string, result: WebhookResult): void
  job(result: JobResult['status'], seconds: number): void
  /** Prometheus' text. */
  write(): Promise<string>
  /** For the runs of this process: their measurements are among these. */
  readonly telemetry: Telemetry
}

/** Upper bounds in seconds: a dispatch takes one or two, a run on the spot minutes to hours. */
const bounds = [0.5, 1, 2, 5, 15, 60, 300, 1800, 7200]

const states = ['waiting', 'active', 'done', 'failed'] as const

/** `counts` is asked whenever somebody reads; it throws when the queue cannot be reached. */
export function createMetrics(
  counts: () => Promise<JobCounts>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Metrics {
  const { meter, write, ...telemetry } = openPullMetrics(wantedSignals(environment))
  const gauge = (name: string, description: string) =>
    meter.createObservableGauge(name, { description })
  const info = gauge('executor_info', 'The version that runs.')
  const up = gauge('executor_queue_up', 'Whether the queue can be reached.')
  const jobs = gauge('executor_jobs', 'Jobs in the queue; done and failed are of the last 7 days.')
  meter.addBatchObservableCallback(
    async (observed) => {
      const found = await counts().catch(() => null)
      observed.observe(info, 1, { version })
      observed.observe(up, found === null ? 0 : 1)
      for (const state of found === null ? [] : states) {
        observed.observe(jobs, found?.[state] ?? 0, { state })
      }
    },
    [info, up, jobs],
  )
  const webhooks = meter.createCounter('executor_webhooks', {
    description: 'Webhooks by event and what became of them.',
  })
  const seconds = meter.createHistogram('executor_job_seconds', {
    description: 'Seconds that starts of jobs took here.',
    advice: { explicitBucketBoundaries: bounds },
  })
  return {
    webhook: (event, result) => webhooks.add(1, { event: event.replace(/\W/g, '_'), result }),
    job: (result, took) => seconds.record(took, { result }),
    write,
    telemetry,
  }
}
