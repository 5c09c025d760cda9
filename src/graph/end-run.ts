import type { Ports } from '../core/ports.ts'
import { stopBaselines } from '../verify/run/baseline.ts'

/** Stops what the steps left running, which would keep the process alive. */
export const endRun = (ports: Pick<Ports, 'workspace'>): Promise<void> => stopBaselines(ports)
