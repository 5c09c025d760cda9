import type { Ports } from '../../core/ports.ts'

/** Milliseconds until a request has left: loading blocks. */
const untilSent = 30

/** The model, with what its answer is read by loaded while it thinks. */
export const loadAhead = (model: Ports['model'], load: () => Promise<void>): Ports['model'] => ({
  ...model,
  async complete(request) {
    // What cannot be loaded says so where it is needed.
    const loading = setTimeout(() => void load().catch(() => {}), untilSent)
    try {
      return await model.complete(request)
    } finally {
      clearTimeout(loading)
    }
  },
})
