import type { JobCounts, JobResult } from '../../ports/job-queue.ts'
import { version } from '../version.ts'

export type WebhookResult = 'queued' | 'known' | 'ignored' | 'refused' | 'failed'

/** What this process counted since it started, for Prometheus. */
export interface Metrics {
  /** `event` is GitHub's name, or empty where nobody has vouched for it. */
  webhook(event: string, result: WebhookResult): void
  job(result: JobResult['status'], seconds: number): void
  /** Prometheus' text. The counts are the queue's; `null` when it cannot be reached. */
  write(counts: JobCounts | null): string
}

/** Upper bounds in seconds: a dispatch takes one or two, a run on the spot minutes to hours. */
const bounds: readonly number[] = [0.5, 1, 2, 5, 15, 60, 300, 1800, 7200]

interface Durations {
  /** Of each bound: how many took no longer. */
  readonly within: number[]
  count: number
  sum: number
}

export function createMetrics(): Metrics {
  const webhooks = new Map<string, number>()
  const durations = new Map<string, Durations>()
  return {
    webhook(event, result) {
      const labels = `event="${event.replace(/\W/g, '_')}",result="${result}"`
      webhooks.set(labels, (webhooks.get(labels) ?? 0) + 1)
    },
    job(result, seconds) {
      const known = durations.get(result) ?? { within: bounds.map(() => 0), count: 0, sum: 0 }
      for (const [index, bound] of bounds.entries()) {
        if (seconds <= bound) known.within[index] = (known.within[index] ?? 0) + 1
      }
      known.count += 1
      known.sum += seconds
      durations.set(result, known)
    },
    write: (counts) =>
      [
        ...describe('executor_info', 'gauge', 'The version that runs.'),
        `executor_info{version="${version}"} 1`,
        ...describe('executor_queue_up', 'gauge', 'Whether the queue can be reached.'),
        `executor_queue_up ${counts === null ? 0 : 1}`,
        ...describe(
          'executor_webhooks_total',
          'counter',
          'Webhooks by event and what became of them.',
        ),
        ...[...webhooks].map(([labels, count]) => `executor_webhooks_total{${labels}} ${count}`),
        ...writeCounts(counts),
        ...describe('executor_job_seconds', 'histogram', 'Seconds that starts of jobs took here.'),
        ...[...durations].flatMap(([result, found]) => writeDurations(result, found)),
        '',
      ].join('\n'),
  }
}

const describe = (name: string, type: string, help: string): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
]

function writeCounts(counts: JobCounts | null): readonly string[] {
  if (counts === null) return []
  const states = ['waiting', 'active', 'done', 'failed'] as const
  return [
    ...describe(
      'executor_jobs',
      'gauge',
      'Jobs in the queue; done and failed are of the last 7 days.',
    ),
    ...states.map((state) => `executor_jobs{state="${state}"} ${counts[state]}`),
  ]
}

function writeDurations(result: string, { within, count, sum }: Durations): readonly string[] {
  const name = 'executor_job_seconds'
  return [
    ...bounds.map((le, index) => `${name}_bucket{result="${result}",le="${le}"} ${within[index]}`),
    `${name}_bucket{result="${result}",le="+Inf"} ${count}`,
    `${name}_sum{result="${result}"} ${sum.toFixed(3)}`,
    `${name}_count{result="${result}"} ${count}`,
  ]
}
