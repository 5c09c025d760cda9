import type { Ports } from '../../core/ports.ts'

/** Milliseconds that a request gets to leave, over a new connection as well, before loading blocks the process. */
const untilSent = 300

/** Loads what reads the answer while the model thinks. */
export const loadAhead = (model: Ports['model'], load: () => Promise<void>): Ports['model'] => ({
  ...model,
  async complete(request) {
    // The step that needs it reports a failed load.
    const loading = setTimeout(() => void load().catch(() => {}), untilSent)
    try {
      return await model.complete(request)
    } finally {
      clearTimeout(loading)
    }
  },
})
